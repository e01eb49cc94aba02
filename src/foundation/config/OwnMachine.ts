import type { Settings } from "./AppConfig.ts"

/**
 * Tells whether apps get an address that no other machine reaches. The settings allow plain http on loopback alone:
 * good for a first try, an oversight with a database server.
 */
export const isForOwnMachine = ({ baseUrl, database }: Pick<Settings, "baseUrl" | "database">): boolean =>
  database._tag === "Server" && baseUrl.startsWith("http:")
