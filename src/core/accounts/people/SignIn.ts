import { Context, Effect, Layer, Option, type Redacted, Schema } from "effect"
import type { Credential } from "../../../domain/Credential.ts"
import type { UserId } from "../../../domain/Ids.ts"
import type { TemporarilyUnavailable } from "../../../domain/OAuthError.ts"
import { isPrintable } from "../../../domain/Text.ts"
import type { TooManyAttempts } from "../../../domain/TooManyAttempts.ts"
import * as OncePerMinute from "../../../foundation/log/OncePerMinute.ts"
import * as SecurityEvents from "../../audit/SecurityEvents.ts"
import { Budgets } from "../../limits/Budgets.ts"
import { CallerAddress } from "../../limits/CallerAddress.ts"
import type { Account } from "./Account.ts"
import { IdentitySource } from "./IdentitySource.ts"
import { type SessionOrigin, Sessions } from "./Sessions.ts"
import { SignInThrottle } from "./SignInThrottle.ts"

/** Wrong e-mail address or password; the caller does not learn which. */
class WrongCredentials extends Schema.TaggedError<WrongCredentials>()("WrongCredentials", {}) {}

interface SignInAttempt {
  readonly email: string
  readonly password: Redacted.Redacted
  /** Network address that the attempt comes from. */
  readonly address: string
}

/** Too much to do to look at the password, a refusal to look, or a wrong password. */
type Refusal = TemporarilyUnavailable | TooManyAttempts | WrongCredentials

/** Checks e-mail addresses and passwords with the identity source; the sign-in page and password changes use it. */
export class SignIn extends Context.Service<SignIn, {
  /**
   * Checks the password of an account that is signed in. It costs a sign-in, right or wrong, and failures are
   * throttled.
   */
  confirm(account: Account, attempt: Omit<SignInAttempt, "email">): Effect.Effect<void, Refusal>
  /** Authenticates and starts a session. */
  start(attempt: SignInAttempt): Effect.Effect<Credential, Refusal>
  /** Starts a session for an account that somebody else has authenticated. */
  startAs(userId: UserId, origin?: SessionOrigin): Effect.Effect<Credential>
}>()("slotkey/core/accounts/people/SignIn") {
  static readonly layer = Layer.effect(
    SignIn,
    Effect.gen(function*() {
      const identities = yield* IdentitySource
      const sessions = yield* Sessions
      const throttle = yield* SignInThrottle
      const budgets = yield* Budgets

      const reportLockOut = yield* OncePerMinute.make((address, count) =>
        SecurityEvents.report("sign_in.locked_out", { ...address !== undefined && { address }, count })
      )

      const authenticate: Required<IdentitySource["Service"]>["authenticate"] = identities.authenticate ??
        (() => Effect.succeedNone)
      const authenticateThen: Required<IdentitySource["Service"]>["authenticateThen"] = identities.authenticateThen ??
        ((email, password, action) =>
          Effect.flatMap(
            authenticate(email, password),
            Option.match({ onNone: () => Effect.succeedNone, onSome: (account) => Effect.asSome(action(account)) })
          ))

      const attempt = Effect.fnUntraced(
        function*<A>(
          { address, email: entered, password }: SignInAttempt,
          action: (account: Account) => Effect.Effect<A>
        ) {
          // Spares the database and the identity source characters that no address contains, such as NUL.
          const email = isPrintable(entered) ? entered : ""
          yield* throttle.attempt(email, address)
          const result = yield* authenticateThen(email, password, action).pipe(
            Effect.provideService(CallerAddress, address),
            // The password was not looked at, or it was right and a budget was used up: neither is a wrong guess.
            Effect.tapCause(() => throttle.withdraw(email, address))
          )
          if (Option.isNone(result)) return yield* new WrongCredentials()
          yield* throttle.succeeded(email, address)
          return result.value
        },
        (self, { address }) =>
          // The log does not name the account: people type passwords into that field.
          Effect.tapError(self, ({ _tag }) =>
            _tag === "TooManyAttempts"
              ? reportLockOut(address)
              : Effect.logInfo("Refused a sign-in", { reason: _tag, address }))
      )

      const startAs = Effect.fn("SignIn.startAs")((userId: UserId, origin?: SessionOrigin) =>
        Effect.andThen(budgets.spend("sign-in", userId), sessions.start(userId, origin))
      )

      return SignIn.of({
        confirm: Effect.fn("SignIn.confirm")(({ email, id }: Account, sent: Omit<SignInAttempt, "email">) =>
          Effect.andThen(budgets.spend("sign-in", id), attempt({ ...sent, email }, (found) => Effect.succeed(found.id)))
            .pipe(
              // A linked account may have the address of a local one, whose password is not its own.
              Effect.filterOrFail((found) => found === id, () => new WrongCredentials()),
              Effect.asVoid
            )
        ),
        start: Effect.fn("SignIn.start")((sent: SignInAttempt) => attempt(sent, ({ id }) => startAs(id))),
        startAs
      })
    })
  )
}
