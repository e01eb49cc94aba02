import { randomBytes } from "node:crypto"

/** The part of the address before the `@`, without what a user name cannot hold. */
export const fromEmail = (email: string): string =>
  email.slice(0, email.indexOf("@")).replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "").slice(0, 50) ||
  "user"

/** A variant for when that user name is taken. */
export const withRandomSuffix = (email: string): string => `${fromEmail(email)}-${randomBytes(4).toString("hex")}`
