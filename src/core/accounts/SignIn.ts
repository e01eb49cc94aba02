import { Context, Effect, Layer, Option, type Redacted, Schema } from "effect"
import type { Credential } from "../../domain/Credential.ts"
import { isPrintable } from "../../domain/Text.ts"
import type { TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import type { Account } from "./Account.ts"
import { IdentitySource } from "./IdentitySource.ts"
import { Sessions } from "./Sessions.ts"
import { SignInThrottle } from "./SignInThrottle.ts"

/** The address or the password is wrong; which of them is told to nobody. */
export class WrongCredentials extends Schema.TaggedError<WrongCredentials>()("WrongCredentials", {}) {}

/** How a person shows who they are. */
export interface Attempt {
  readonly email: string
  readonly password: Redacted.Redacted
  /** Where the attempt comes from. */
  readonly address: string
}

export class SignIn extends Context.Service<SignIn, {
  /** The account of these credentials; guessing is throttled. */
  authenticate(attempt: Attempt): Effect.Effect<Account, WrongCredentials | TooManyAttempts>
  /** The same, and a new session for it. */
  start(attempt: Attempt): Effect.Effect<Credential, WrongCredentials | TooManyAttempts>
}>()("slotkey/core/accounts/SignIn") {
  static readonly layer: Layer.Layer<SignIn, never, IdentitySource | Sessions | SignInThrottle> = Layer.effect(
    SignIn,
    Effect.gen(function*() {
      const identities = yield* IdentitySource
      const sessions = yield* Sessions
      const throttle = yield* SignInThrottle

      const judge = Effect.fnUntraced(function*({ address, email, password }: Attempt) {
        yield* throttle.attempt(email, address)
        // What no address can contain, no identity source has to cope with.
        const account = yield* identities.authenticate(isPrintable(email) ? email : "", password)
        if (Option.isNone(account)) return yield* new WrongCredentials()
        yield* throttle.succeeded(email, address)
        return account.value
      })

      const authenticate = Effect.fn("SignIn.authenticate")((attempt: Attempt) =>
        // Whose account it was about stays out of the log: people type passwords into that field.
        Effect.tapError(judge(attempt), ({ _tag }) =>
          Effect.logInfo("Refused a sign-in", { reason: _tag, address: attempt.address }))
      )

      const start = Effect.fn("SignIn.start")(function*(attempt: Attempt) {
        const account = yield* authenticate(attempt)
        return yield* sessions.start(account.id)
      })

      return SignIn.of({ authenticate, start })
    })
  )
}
