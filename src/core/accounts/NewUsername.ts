import { randomBytes } from "node:crypto"

/** What stands before the `@`, as far as a user name may hold it. */
export const of = (email: string): string =>
  email.slice(0, email.indexOf("@")).replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "").slice(0, 50) ||
  "user"

/** The same with something random behind it, where somebody has the name. */
export const another = (email: string): string => `${of(email)}-${randomBytes(4).toString("hex")}`
