import { Effect, Layer, Option } from "effect"
import { AuditLog } from "../audit/AuditLog.ts"
import { Accounts } from "./Accounts.ts"
import { IdentitySource } from "./IdentitySource.ts"
import { LocalIdentitySource } from "./LocalIdentitySource.ts"
import { Passwords } from "./Passwords.ts"
import { SetupLinks } from "./SetupLinks.ts"

// Without this check, local accounts would silently hide an identity source beneath them.
const NoOtherSource = Layer.effectDiscard(Effect.gen(function*() {
  const source = yield* Effect.serviceOption(IdentitySource)
  const isLocal = Option.isSome(yield* Effect.serviceOption(Accounts))
  if (Option.isSome(source) && !isLocal) {
    return yield* Effect.die(
      new Error("The identity source beneath the local accounts would not be asked: provide it to Services instead")
    )
  }
}))

/**
 * The identity source of a server without a platform, and what only local accounts have: profiles, passwords and the
 * set-up link. A platform provides its own `IdentitySource` instead, and the pages that need the rest are left out.
 */
export const LocalAccounts = Layer.mergeAll(LocalIdentitySource, SetupLinks.layer).pipe(
  Layer.provideMerge(Accounts.layer),
  Layer.provideMerge(Passwords.layer),
  Layer.provide(AuditLog.layer),
  Layer.merge(NoOtherSource)
)
