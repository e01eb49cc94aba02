import { randomBytes } from "node:crypto"

/**
 * A user name made of a text, such as an e-mail address: the part before the `@`, without what a user name cannot hold.
 */
export const from = (text: string): string =>
  (text.split("@")[0] ?? "").replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "").slice(0, 50) || "user"

/** A variant for when that user name is taken. */
export const withRandomSuffix = (text: string): string => `${from(text)}-${randomBytes(4).toString("hex")}`
