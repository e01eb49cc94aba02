import { Effect, Layer, Option } from "effect"
import { Outbox } from "../../foundation/jobs/outbox/Outbox.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { LimitServices } from "../limits/LimitServices.ts"
import { LinkedAccounts } from "./linked/LinkedAccounts.ts"
import { Accounts } from "./local/Accounts.ts"
import { EmailChanges } from "./local/EmailChanges.ts"
import { Invitations } from "./local/Invitations.ts"
import { LocalIdentitySource } from "./local/LocalIdentitySource.ts"
import { MailedLinks } from "./local/MailedLinks.ts"
import { ManagedAccounts } from "./local/ManagedAccounts.ts"
import { PasswordResets } from "./local/PasswordResets.ts"
import { Passwords } from "./local/Passwords.ts"
import { SetupLinks } from "./local/SetupLinks.ts"
import { LocalUsers } from "./LocalUsers.ts"
import { ApiKeys } from "./people/ApiKeys.ts"
import { IdentitySource } from "./people/IdentitySource.ts"
import { Sessions } from "./people/Sessions.ts"

// Without this check, local accounts would silently hide an identity source beneath them.
const NoOtherSource = Layer.effectDiscard(Effect.gen(function*() {
  const source = yield* Effect.serviceOption(IdentitySource)
  const local = Option.flatten(yield* Effect.serviceOption(LocalUsers))
  if (Option.isSome(source) && Option.isNone(local)) {
    return yield* Effect.die(
      new Error("The identity source beneath the local accounts would not be asked: provide it to Services instead")
    )
  }
}))

/** Services that work by mail. They end sessions and API keys, which those of any identity source have, too. */
const Mailed = Layer.mergeAll(EmailChanges.layer, Invitations.layer, PasswordResets.layer).pipe(
  Layer.provideMerge(MailedLinks.layer),
  Layer.provide([ApiKeys.layer, Sessions.layer])
)

/**
 * Identity source of a server that keeps the accounts itself, and what only such accounts have: profiles, passwords and
 * the set-up link of local ones, what they have by mail, and the links to identities elsewhere. An embedder with users
 * of its own provides its own `IdentitySource` instead, and `LocalUsers` says so to all that need the rest.
 */
export const LocalAccounts = LocalUsers.layerKept.pipe(
  Layer.provideMerge(Layer.mergeAll(LinkedAccounts.layer, LocalIdentitySource, Mailed, SetupLinks.layer)),
  Layer.provideMerge(Layer.merge(Accounts.layer, ManagedAccounts.layer)),
  Layer.provideMerge(Passwords.layer),
  Layer.provide([AuditLog.layer, LimitServices, Outbox.layer]),
  Layer.merge(NoOtherSource)
)
