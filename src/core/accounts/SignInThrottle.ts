import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { createHash } from "node:crypto"
import { TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import * as Sweep from "../../foundation/database/Sweep.ts"

/**
 * Slows down who guesses passwords: per account from one address, and per address whatever the account. The counts are
 * in the database, so all nodes share them; an account that does not exist is counted like one that does.
 */
export class SignInThrottle extends Context.Service<SignInThrottle, {
  /** Counts an attempt before it is judged, so that many at the same moment are no way around the limit. */
  attempt(email: string, address: string): Effect.Effect<void, TooManyAttempts>
  /** The attempt was right: the account starts anew, and the address gets its one attempt back. */
  succeeded(email: string, address: string): Effect.Effect<void>
}>()("slotkey/core/accounts/SignInThrottle") {
  static readonly layer: Layer.Layer<SignInThrottle, never, SqlClient.SqlClient> = Layer.effect(
    SignInThrottle,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const increment = SqlSchema.findOne({
        Request: Schema.Struct({
          subject: Schema.String,
          limit: Schema.Int,
          now: Schema.DateTimeUtcFromDate,
          windowEndsAt: Schema.DateTimeUtcFromDate
        }),
        Result: Schema.Struct({ count: Schema.Int, windowEndsAt: Schema.DateTimeUtcFromDate }),
        // The window starts with the first failure and is not moved by later ones, so waiting always helps.
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
        const now = yield* DateTime.now
        const row = yield* Effect.orDie(
          increment({ subject, limit, now, windowEndsAt: DateTime.addDuration(now, window) })
        )
        if (row.count > limit) {
          return yield* new TooManyAttempts({ retryAfter: DateTime.distance(now, row.windowEndsAt) })
        }
      })

      const refuseIfFull = Effect.fnUntraced(function*(subject: string, limit: number) {
        const now = yield* DateTime.now
        const [full] = yield* Effect.orDie(sql<{ windowEndsAt: Date }>`SELECT window_ends_at FROM sign_in_failures
          WHERE subject = ${subject} AND count >= ${limit} AND window_ends_at > ${DateTime.toDateUtc(now)}`)
        if (full !== undefined) {
          const retryAfter = DateTime.distance(now, DateTime.fromDateUnsafe(full.windowEndsAt))
          return yield* new TooManyAttempts({ retryAfter })
        }
      })

      const attempt = Effect.fn("SignInThrottle.attempt")(function*(email: string, address: string) {
        // An address that is refused anyway leaves no row for each account that it names.
        yield* refuseIfFull(addressOnly(address), perAddress)
        yield* count(accountAt(email, address), perAccount)
        yield* count(addressOnly(address), perAddress)
      })

      const succeeded = Effect.fn("SignInThrottle.succeeded")(function*(email: string, address: string) {
        yield* sql`DELETE FROM sign_in_failures WHERE subject = ${accountAt(email, address)}`
        yield* sql`UPDATE sign_in_failures SET count = greatest(count - 1, 0) WHERE subject = ${addressOnly(address)}`
      }, Effect.orDie)

      return SignInThrottle.of({ attempt, succeeded })
    })
  )
}

export const sweeps = [Sweep.expired("sign_in_failures", "window_ends_at")]

/** Failed attempts in one window, for one account from one address. */
export const perAccount = 10
/** The same from one address for all accounts together: many people may share it. */
export const perAddress = 100
export const window = Duration.minutes(15)

// People type passwords into the wrong field, so what they typed is not kept.
const accountAt = (email: string, address: string) => digest(`account\0${email.trim().toLowerCase()}\0${address}`)
const addressOnly = (address: string) => digest(`address\0${address}`)
const digest = (text: string) => createHash("sha256").update(text).digest("base64url")
