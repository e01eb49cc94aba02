import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { createHash } from "node:crypto"
import { TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as Sweep from "../../foundation/database/Sweep.ts"

/**
 * Limits wrong passwords for an account from one address, and from one address for all accounts together. The counts are
 * in the database, so that all nodes share them. Accounts that do not exist are counted like those that do.
 */
export class SignInThrottle extends Context.Service<SignInThrottle, {
  /** Counts an attempt before the password is checked, so that concurrent ones cannot exceed the limit. */
  attempt(email: string, address: string): Effect.Effect<void, TooManyAttempts>
  /** Forgets the failures of the account from this address, and takes this attempt off the address. */
  succeeded(email: string, address: string): Effect.Effect<void>
  /** Takes an attempt back whose password was not checked. */
  withdraw(email: string, address: string): Effect.Effect<void>
}>()("slotkey/core/accounts/SignInThrottle") {
  static readonly layer: Layer.Layer<SignInThrottle, never, DatabaseClock | SqlClient.SqlClient> = Layer.effect(
    SignInThrottle,
    Effect.gen(function*() {
      const clock = yield* DatabaseClock
      const sql = yield* SqlClient.SqlClient

      const increment = SqlSchema.findOne({
        Request: Schema.Struct({
          subject: Schema.String,
          limit: Schema.Int,
          now: Schema.DateTimeUtcFromDate,
          windowEndsAt: Schema.DateTimeUtcFromDate
        }),
        Result: Schema.Struct({ count: Schema.Int, windowEndsAt: Schema.DateTimeUtcFromDate }),
        // The window starts with the first failure, and later ones do not move it: it always ends.
        execute: ({ limit, now, subject, windowEndsAt }) =>
          sql`INSERT INTO sign_in_failures (subject, count, window_ends_at) VALUES (${subject}, 1, ${windowEndsAt})
            ON CONFLICT (subject) DO UPDATE SET
              count = CASE WHEN sign_in_failures.window_ends_at <= ${now} THEN 1
                ELSE least(sign_in_failures.count + 1, ${limit} + 1) END,
              window_ends_at = CASE WHEN sign_in_failures.window_ends_at <= ${now} THEN excluded.window_ends_at
                ELSE sign_in_failures.window_ends_at END
            RETURNING count, window_ends_at`
      })

      const count = Effect.fnUntraced(function*(subject: string, limit: number) {
        const now = yield* clock.now
        const row = yield* Effect.orDie(
          increment({ subject, limit, now, windowEndsAt: DateTime.addDuration(now, window) })
        )
        if (row.count > limit) {
          return yield* new TooManyAttempts({ retryAfter: DateTime.distance(now, row.windowEndsAt) })
        }
      })

      const failIfExhausted = Effect.fnUntraced(function*(subject: string, limit: number) {
        const now = yield* clock.now
        const [exhausted] = yield* Effect.orDie(sql<{ windowEndsAt: Date }>`SELECT window_ends_at FROM sign_in_failures
          WHERE subject = ${subject} AND count >= ${limit} AND window_ends_at > ${DateTime.toDateUtc(now)}`)
        if (exhausted !== undefined) {
          const retryAfter = DateTime.distance(now, DateTime.fromDateUnsafe(exhausted.windowEndsAt))
          return yield* new TooManyAttempts({ retryAfter })
        }
      })

      const attempt = Effect.fn("SignInThrottle.attempt")(function*(email: string, address: string) {
        // Checked first: an exhausted address must not add a row for each account that it tries.
        yield* failIfExhausted(addressSubject(address), perAddress)
        yield* count(accountSubject(email, address), perAccount)
        yield* count(addressSubject(address), perAddress)
      })

      const takeOff = (subject: string) =>
        sql`UPDATE sign_in_failures SET count = greatest(count - 1, 0) WHERE subject = ${subject}`

      const succeeded = Effect.fn("SignInThrottle.succeeded")(function*(email: string, address: string) {
        yield* sql`DELETE FROM sign_in_failures WHERE subject = ${accountSubject(email, address)}`
        yield* takeOff(addressSubject(address))
      }, Effect.orDie)

      const withdraw = Effect.fn("SignInThrottle.withdraw")(function*(email: string, address: string) {
        yield* takeOff(accountSubject(email, address))
        yield* takeOff(addressSubject(address))
      }, Effect.orDie)

      return SignInThrottle.of({ attempt, succeeded, withdraw })
    })
  )
}

export const sweeps = [Sweep.expired("sign_in_failures", "window_ends_at")]

/** Failures in one window, for one account from one address. */
export const perAccount = 10
/** Failures in one window from one address, which many people may share. */
export const perAddress = 100
export const window = Duration.minutes(15)

// Kept as digests, because people type passwords into the wrong field.
const accountSubject = (email: string, address: string) => digest(`account\0${email.trim().toLowerCase()}\0${address}`)
const addressSubject = (address: string) => digest(`address\0${address}`)
const digest = (text: string) => createHash("sha256").update(text).digest("base64url")
