import { Layer } from "effect"
import { AuditLog } from "../audit/AuditLog.ts"
import { Accounts } from "./Accounts.ts"
import { localIdentitySource } from "./LocalIdentitySource.ts"
import { Passwords } from "./Passwords.ts"
import { SetupLinks } from "./SetupLinks.ts"

/**
 * The identity source of a server with accounts of its own, and what only such accounts need: their profiles, passwords
 * and the set-up link. A platform that has users provides its own `IdentitySource` instead; the pages that need the
 * rest are then left out.
 */
export const LocalAccounts = Layer.mergeAll(localIdentitySource, SetupLinks.layer).pipe(
  Layer.provideMerge(Accounts.layer),
  Layer.provideMerge(Passwords.layer),
  Layer.provide(AuditLog.layer)
)
