import { Context, Duration, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import type { AppConfig } from "../../foundation/config/AppConfig.ts"
import type { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import type { MasterKeyError } from "../keys/MasterKey.ts"
import { Limiter } from "../limits/Limiter.ts"
import { foldAddress } from "./FoldedAddress.ts"

/**
 * Limits wrong passwords for an account from one address, and from one address for all accounts together. Accounts that do
 * not exist are counted like those that do.
 */
export class SignInThrottle extends Context.Service<SignInThrottle, {
  /** Counts an attempt before the password is checked, so that concurrent ones cannot exceed the limit. */
  attempt(email: string, address: string): Effect.Effect<void, TooManyAttempts>
  /** Forgets the failures of the account from this address, and takes this attempt off the address. */
  succeeded(email: string, address: string): Effect.Effect<void>
  /** Takes an attempt back whose password was not checked. */
  withdraw(email: string, address: string): Effect.Effect<void>
}>()("slotkey/core/accounts/SignInThrottle") {
  static readonly layer: Layer.Layer<SignInThrottle, MasterKeyError, AppConfig | DatabaseClock | SqlClient.SqlClient> =
    Layer.effect(
      SignInThrottle,
      Effect.gen(function*() {
        const limiter = yield* Limiter
        const fold = yield* foldAddress

        const accountSubject = (email: string, address: string) =>
          Effect.map(fold(email), (folded) => limiter.subjectOf("account", folded, address))

        const addressSubject = (address: string) => limiter.subjectOf("address", address)

        const attempt = Effect.fn("SignInThrottle.attempt")(function*(email: string, address: string) {
          // Checked first: an exhausted address must not add a row for each account that it tries.
          yield* limiter.check(addressSubject(address), { count: perAddress, window })
          yield* limiter.count(yield* accountSubject(email, address), { count: perAccount, window })
          yield* limiter.count(addressSubject(address), { count: perAddress, window })
        })

        const succeeded = Effect.fn("SignInThrottle.succeeded")(function*(email: string, address: string) {
          yield* limiter.forget(yield* accountSubject(email, address))
          yield* limiter.takeBack(addressSubject(address))
        })

        const withdraw = Effect.fn("SignInThrottle.withdraw")(function*(email: string, address: string) {
          yield* limiter.takeBack(yield* accountSubject(email, address))
          yield* limiter.takeBack(addressSubject(address))
        })

        return SignInThrottle.of({ attempt, succeeded, withdraw })
      })
    ).pipe(Layer.provide(Limiter.layer))
}

/** Failures in one window, for one account from one address. */
export const perAccount = 10
/** Failures in one window from one address, which many people may share. */
export const perAddress = 100
export const window = Duration.minutes(15)
