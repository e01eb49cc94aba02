import type { Settings } from "./AppConfig.ts"

/**
 * Tells whether apps get an address that no other machine reaches. The settings allow plain http on loopback alone:
 * good for a first try, an oversight with a database server.
 */
export const isForOwnMachine = ({ baseUrl, database }: Pick<Settings, "baseUrl" | "database">): boolean =>
  database._tag === "Server" && baseUrl.startsWith("http:")

/**
 * Tells whether the server may send to programs of its own machine that others name: one that is tried out there, with
 * no other database, and that no other machine reaches.
 */
export const takesLoopback = ({ baseUrl, database }: Pick<Settings, "baseUrl" | "database">): boolean =>
  database._tag === "Embedded" && baseUrl.startsWith("http:")
