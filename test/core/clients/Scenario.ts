import { Effect } from "effect"
import { newAccount } from "../../support/Clients.ts"

/** An owner, another developer, and two administrators. */
export const people = Effect.all({
  owner: newAccount("dev"),
  other: newAccount("other"),
  admin: newAccount("admin", "admin"),
  second: newAccount("admin", "admin")
})
