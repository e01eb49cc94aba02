import { Context, Duration, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { TooManyAttempts } from "../../../domain/TooManyAttempts.ts"
import { Limiter } from "../../limits/Limiter.ts"
import { foldAddress } from "./FoldedAddress.ts"

/**
 * Limits wrong passwords for an account from one network, and from one network for all accounts together. Accounts that
 * do not exist are counted like those that do. An account at which many guess from many networks is slowed and never
 * locked: each network has fewer attempts then, and at least one.
 */
export class SignInThrottle extends Context.Service<SignInThrottle, {
  /** Counts an attempt before the password is checked, so that concurrent ones cannot exceed the limit. */
  attempt(email: string, address: string): Effect.Effect<void, TooManyAttempts>
  /** Forgets the failures of the account from this address, and takes this attempt off the network. */
  succeeded(email: string, address: string): Effect.Effect<void>
  /** Takes an attempt back whose password was not checked. */
  withdraw(email: string, address: string): Effect.Effect<void>
}>()("slotkey/core/accounts/people/SignInThrottle") {
  static readonly layer: Layer.Layer<SignInThrottle, never, Limiter | SqlClient.SqlClient> = Layer.effect(
    SignInThrottle,
    Effect.gen(function*() {
      const limiter = yield* Limiter
      const fold = yield* foldAddress

      /** All that an attempt counts for, the account from everywhere first. */
      const countedFor = (folded: string, address: string, limit: number) => [
        { subject: limiter.subjectOf("account", folded), limit: unlimited },
        ...limiter.inNetworks(address, limit, "account", folded),
        ...limiter.inNetworks(address, perAddress, "address")
      ]

      const takeBack = (folded: string, address: string) =>
        limiter.takeBack(...countedFor(folded, address, perAccount).map(({ subject }) => subject))

      const attempt = Effect.fn("SignInThrottle.attempt")(function*(email: string, address: string) {
        const folded = yield* fold(email)
        const failures = yield* limiter.eventsOf(limiter.subjectOf("account", folded))
        yield* limiter.count(countedFor(folded, address, limitAfter(failures)), window)
      })

      const succeeded = Effect.fn("SignInThrottle.succeeded")(function*(email: string, address: string) {
        const folded = yield* fold(email)
        yield* takeBack(folded, address)
        // The failures of wider networks stay: neighbours may be guessing there.
        yield* limiter.forget(limiter.subjectOf("account", folded, address))
      })

      const withdraw = Effect.fn("SignInThrottle.withdraw")(function*(email: string, address: string) {
        yield* takeBack(yield* fold(email), address)
      })

      return SignInThrottle.of({ attempt, succeeded, withdraw })
    })
  )
}

/** Failures in one window, for one account from one address. */
export const perAccount = 10
/** Failures in one window from one address, which many people may share. */
export const perAddress = 100
export const window = Duration.minutes(15)

/** The failures from one address after so many from everywhere. */
const limitAfter = (failures: number): number => failures < 50 ? perAccount : failures < 200 ? 3 : 1

const unlimited = 1_000_000_000
