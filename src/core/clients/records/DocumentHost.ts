import type { Client } from "./Client.ts"

/** Host at which an app describes itself, by which alone its users can know it; `undefined` for all others. */
export const documentHostOf = ({ id, origin }: Pick<Client, "id" | "origin">): string | undefined =>
  origin === "document" && URL.canParse(id) ? new URL(id).hostname : undefined
