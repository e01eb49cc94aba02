import { Context, type Effect, type Option, type Redacted } from "effect"
import type { Account } from "./Account.ts"

/**
 * Who the users are. The rest of the server knows people through this service only, so a platform that has accounts of
 * its own plugs them in here.
 */
export class IdentitySource extends Context.Service<IdentitySource, {
  /** The account of this e-mail address if the password is its; takes the same time whether or not there is one. */
  authenticate(email: string, password: Redacted.Redacted): Effect.Effect<Option.Option<Account>>
  /** An account that may sign in; its role and name as they are now. */
  find(userId: string): Effect.Effect<Option.Option<Account>>
  /** All who may review apps: they are told of what waits. */
  readonly administrators: Effect.Effect<ReadonlyArray<Account>>
}>()("slotkey/core/accounts/IdentitySource") {}
