import type { Account } from "./Account.ts"

/** Address or user name as an invitation keeps it. */
export const fold = (name: string): string => name.trim().normalize("NFC").toLowerCase()

/**
 * Names by which an account is invited: its user name, and its address, unless it is known that nobody vouches for it.
 * A user name with an `@` would pass for the address of somebody else.
 */
export const namesOf = ({ email, emailVerified, username }: Account): ReadonlyArray<string> => [
  ...(email === "" || emailVerified === false ? [] : [fold(email)]),
  ...(username === "" || username.includes("@") ? [] : [fold(username)])
]
