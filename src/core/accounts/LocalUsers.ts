import { Context, Effect, Layer, Option } from "effect"
import { LinkedAccounts } from "./linked/LinkedAccounts.ts"
import { Accounts } from "./local/Accounts.ts"
import { EmailChanges } from "./local/EmailChanges.ts"
import { Invitations } from "./local/Invitations.ts"
import { MailedLinks } from "./local/MailedLinks.ts"
import { ManagedAccounts } from "./local/ManagedAccounts.ts"
import { PasswordResets } from "./local/PasswordResets.ts"
import { SetupLinks } from "./local/SetupLinks.ts"

/** Services that there are for accounts of this server alone. */
const services = [
  Accounts,
  EmailChanges,
  Invitations,
  LinkedAccounts,
  MailedLinks,
  ManagedAccounts,
  PasswordResets,
  SetupLinks
] as const
type LocalUserServices = Context.Service.Identifier<(typeof services)[number]>

/**
 * Says whether this server keeps the accounts of its users: it holds the services of such accounts, or nothing where
 * the users are an embedder's. All that differs between the two asks it.
 */
export class LocalUsers extends Context.Service<LocalUsers, Option.Option<Context.Context<LocalUserServices>>>()(
  "slotkey/core/accounts/LocalUsers"
) {
  /**
   * Accounts are kept here. Holds their services alone: others of the context that they were built in must not cover
   * those around a user of them.
   */
  static readonly layerKept: Layer.Layer<LocalUsers, never, LocalUserServices> = Layer.effect(
    LocalUsers,
    Effect.map(Effect.context<LocalUserServices>(), (context) => Option.some(Context.pick(...services)(context)))
  )

  /** Answer of the local accounts beneath, if there are any: an embedder provides an identity source instead. */
  static readonly layer: Layer.Layer<LocalUsers> = Layer.effect(
    LocalUsers,
    Effect.map(Effect.serviceOption(LocalUsers), Option.flatten)
  )

  /** A layer over the services of local accounts or, where there are none, another one. */
  static readonly choose = <A, E, R, E2, R2>(
    kept: Layer.Layer<A, E, R>,
    elsewhere: Layer.Layer<A, E2, R2>
  ): Layer.Layer<A, E | E2, LocalUsers | Exclude<R, LocalUserServices> | R2> =>
    Layer.unwrap(Effect.map(
      LocalUsers,
      Option.match({
        onNone: (): Layer.Layer<A, E | E2, Exclude<R, LocalUserServices> | R2> => elsewhere,
        onSome: (context) => Layer.provide(kept, Layer.succeedContext(context))
      })
    ))
}
