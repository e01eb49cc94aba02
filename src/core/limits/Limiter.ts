import { Context, DateTime, type Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { createHmac } from "node:crypto"
import { TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import type { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as Sweep from "../../foundation/database/Sweep.ts"
import { MasterKey, type MasterKeyError } from "../keys/MasterKey.ts"

/** The number of times that something may happen to a subject in one window of time. */
export interface Limit {
  readonly count: number
  readonly window: Duration.Duration
}

/**
 * Counts what happens to a subject in windows of time. The window starts with the first event, and later ones do not move
 * it: it always ends. The counts are in the database, so that all nodes share them, in the table `sign_in_failures`, whose
 * name is that of its first use. All methods join the caller's transaction.
 */
export class Limiter extends Context.Service<Limiter, {
  /** The subject that these parts name. They may hold an address, or a password that was typed into the wrong field. */
  subjectOf(...parts: ReadonlyArray<string>): Subject
  /** Counts one event, or fails. Of concurrent events no more succeed than the limit allows. */
  count(subject: Subject, limit: Limit): Effect.Effect<void, TooManyAttempts>
  /** Fails if the limit is reached, and counts nothing. */
  check(subject: Subject, limit: Limit): Effect.Effect<void, TooManyAttempts>
  /** Takes one event back. */
  takeBack(subject: Subject): Effect.Effect<void>
  /** Forgets all events. */
  forget(subject: Subject): Effect.Effect<void>
}>()("slotkey/core/limits/Limiter") {
  static readonly layer: Layer.Layer<Limiter, MasterKeyError, AppConfig | DatabaseClock | SqlClient.SqlClient> = Layer
    .effect(
      Limiter,
      Effect.gen(function*() {
        const clock = yield* DatabaseClock
        const sql = yield* SqlClient.SqlClient
        const [key] = yield* (yield* MasterKey).derive("slotkey limited subject")

        const subjectOf = (...parts: ReadonlyArray<string>) =>
          Subject.make(createHmac("sha256", key).update(parts.join("\0")).digest("base64url"))

        const increment = SqlSchema.findOne({
          Request: Schema.Struct({
            subject: Schema.String,
            limit: Schema.Int,
            now: Schema.DateTimeUtcFromDate,
            windowEndsAt: Schema.DateTimeUtcFromDate
          }),
          Result: Schema.Struct({ count: Schema.Int, windowEndsAt: Schema.DateTimeUtcFromDate }),
          execute: ({ limit, now, subject, windowEndsAt }) =>
            sql`INSERT INTO sign_in_failures (subject, count, window_ends_at) VALUES (${subject}, 1, ${windowEndsAt})
            ON CONFLICT (subject) DO UPDATE SET
              count = CASE WHEN sign_in_failures.window_ends_at <= ${now} THEN 1
                ELSE least(sign_in_failures.count + 1, ${limit} + 1) END,
              window_ends_at = CASE WHEN sign_in_failures.window_ends_at <= ${now} THEN excluded.window_ends_at
                ELSE sign_in_failures.window_ends_at END
            RETURNING count, window_ends_at`
        })

        const count = Effect.fnUntraced(function*(subject: Subject, { count: limit, window }: Limit) {
          const now = yield* clock.now
          const row = yield* Effect.orDie(
            increment({ subject, limit, now, windowEndsAt: DateTime.addDuration(now, window) })
          )
          if (row.count > limit) {
            return yield* new TooManyAttempts({ retryAfter: DateTime.distance(now, row.windowEndsAt) })
          }
        })

        const check = Effect.fnUntraced(function*(subject: Subject, { count: limit }: Limit) {
          const now = yield* clock.now
          const [exhausted] = yield* Effect.orDie(
            sql<{ windowEndsAt: Date }>`SELECT window_ends_at FROM sign_in_failures
          WHERE subject = ${subject} AND count >= ${limit} AND window_ends_at > ${DateTime.toDateUtc(now)}`
          )
          if (exhausted !== undefined) {
            const retryAfter = DateTime.distance(now, DateTime.fromDateUnsafe(exhausted.windowEndsAt))
            return yield* new TooManyAttempts({ retryAfter })
          }
        })

        const takeBack = Effect.fnUntraced(function*(subject: Subject) {
          yield* sql`UPDATE sign_in_failures SET count = greatest(count - 1, 0) WHERE subject = ${subject}`
        }, Effect.orDie)

        const forget = Effect.fnUntraced(function*(subject: Subject) {
          yield* sql`DELETE FROM sign_in_failures WHERE subject = ${subject}`
        }, Effect.orDie)

        return Limiter.of({ subjectOf, count, check, takeBack, forget })
      })
    ).pipe(Layer.provide(MasterKey.layer))
}

/** A window takes an hour at most; the budget of an address is the number of subjects that it can fill in one. */
export const sweeps = [
  Sweep.expired({
    table: "sign_in_failures",
    column: "window_ends_at",
    setting: "addressBudget",
    rows: "counts of attempts whose window is over, after an hour at most"
  })
]

/**
 * The MAC of what is counted, under a key that is derived from the master key: addresses are few enough to be guessed one by
 * one, and a copy of the database must not confirm a guess.
 */
export const Subject = Schema.String.pipe(Schema.brand("Subject"))
export type Subject = typeof Subject.Type
