import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { createHmac } from "node:crypto"
import { networksOf } from "../../domain/CallerNetwork.ts"
import { TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as Sweep from "../../foundation/database/Sweep.ts"
import { MasterKey } from "../keys/MasterKey.ts"

/** A subject, and the number of times that something may happen to it in one window of time. */
interface Counted {
  readonly subject: Subject
  readonly limit: number
}

/**
 * Counts what happens to subjects in windows of time. The window starts with the first event, and later ones do not
 * move it: it always ends. The counts are in the database, so that all nodes share them. All methods join the caller's
 * transaction.
 */
export class Limiter extends Context.Service<Limiter, {
  /** Subject that these parts name. They may hold an address, or a password that was typed into the wrong field. */
  subjectOf(...parts: ReadonlyArray<string>): Subject
  /**
   * What these parts name in each network of the address; the limit is for one address, and wider networks have more.
   */
  inNetworks(address: string | undefined, limit: number, ...parts: ReadonlyArray<string>): ReadonlyArray<Counted>
  /**
   * Counts one event for all of them, or fails and counts none. Of concurrent events no more succeed than the limits
   * allow.
   */
  count(counted: ReadonlyArray<Counted>, window: Duration.Duration): Effect.Effect<void, TooManyAttempts>
  /** Events of a subject that were counted in its window. */
  eventsOf(subject: Subject): Effect.Effect<number>
  takeBack(...subjects: ReadonlyArray<Subject>): Effect.Effect<void>
  forget(subject: Subject): Effect.Effect<void>
}>()("slotkey/core/limits/Limiter") {
  static readonly layer = Layer.effect(
    Limiter,
    Effect.gen(function*() {
      const clock = yield* DatabaseClock
      const sql = yield* SqlClient.SqlClient
      const [key] = (yield* MasterKey).derive("slotkey limited subject")

      const subjectOf = (...parts: ReadonlyArray<string>) =>
        Subject.make(createHmac("sha256", key).update(parts.join("\0")).digest("base64url"))

      const inNetworks = (address: string | undefined, limit: number, ...parts: ReadonlyArray<string>) =>
        (address === undefined ? [] : networksOf(address)).map(({ name, share }) => ({
          subject: subjectOf(...parts, name),
          limit: limit * share
        }))

      const listed = (counted: ReadonlyArray<Counted>) =>
        sql`unnest(${counted.map(({ subject }) => subject)}::text[], ${counted.map(({ limit }) => limit)}::int[])
            AS counted(subject, most)`

      // Full ones are looked for first: their attempts must not add a row for each account or network that they name.
      const findFull = (counted: ReadonlyArray<Counted>, now: DateTime.Utc) =>
        sql`SELECT count, window_ends_at FROM rate_limits JOIN ${listed(counted)} USING (subject)
            WHERE count >= most AND window_ends_at > ${DateTime.toDateUtc(now)}`

      // In the order of the subjects, so that two events that have some in common cannot deadlock.
      const increment = (counted: ReadonlyArray<Counted>, now: DateTime.Utc, windowEndsAt: DateTime.Utc) => {
        const isOver = sql`f.window_ends_at <= ${DateTime.toDateUtc(now)}`
        return sql`WITH counted AS MATERIALIZED (SELECT subject, most FROM ${listed(counted)}),
            added AS (
              INSERT INTO rate_limits AS f (subject, count, window_ends_at)
              SELECT subject, 1, ${DateTime.toDateUtc(windowEndsAt)} FROM counted ORDER BY subject
              ON CONFLICT (subject) DO UPDATE SET
                count = CASE WHEN ${isOver} THEN 1
                  ELSE least(f.count + 1, (SELECT most + 1 FROM counted WHERE subject = excluded.subject)) END,
                window_ends_at = CASE WHEN ${isOver} THEN excluded.window_ends_at ELSE f.window_ends_at END
              RETURNING subject, count, window_ends_at
            )
            SELECT count, window_ends_at FROM added JOIN counted USING (subject) WHERE count > most`
      }

      const refuse = Effect.fnUntraced(function*(
        full: Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>,
        now: DateTime.Utc
      ) {
        const rows = yield* Effect.orDie(Effect.flatMap(full, decodeFull))
        const retryAfter = rows.map(({ windowEndsAt }) => DateTime.distance(now, windowEndsAt))
        if (rows.length > 0) return yield* new TooManyAttempts({ retryAfter: retryAfter.reduce(Duration.max) })
      })

      const count = Effect.fnUntraced(function*(counted: ReadonlyArray<Counted>, window: Duration.Duration) {
        if (counted.length === 0) return
        const now = yield* clock.now
        yield* refuse(findFull(counted, now), now)
        yield* refuse(increment(counted, now, DateTime.addDuration(now, window)), now)
      })

      const eventsOf = Effect.fnUntraced(function*(subject: Subject) {
        const now = DateTime.toDateUtc(yield* clock.now)
        const [known] = yield* sql<{ count: number }>`SELECT count FROM rate_limits
            WHERE subject = ${subject} AND window_ends_at > ${now}`
        return known?.count ?? 0
      }, Effect.orDie)

      const takeBack = Effect.fnUntraced(function*(...subjects: ReadonlyArray<Subject>) {
        yield* sql`UPDATE rate_limits SET count = greatest(count - 1, 0) WHERE subject IN
            (SELECT subject FROM rate_limits WHERE subject = ANY(${subjects}::text[]) ORDER BY subject FOR UPDATE)`
      }, Effect.orDie)

      const forget = Effect.fnUntraced(function*(subject: Subject) {
        yield* sql`DELETE FROM rate_limits WHERE subject = ${subject}`
      }, Effect.orDie)

      return Limiter.of({ subjectOf, inNetworks, count, eventsOf, takeBack, forget })
    })
  )
}

/** Longest window that anybody counts in. */
const longestWindow = Duration.hours(1)

export const sweeps = [
  Sweep.expired({
    table: "rate_limits",
    column: "window_ends_at",
    retention: longestWindow,
    rows: "counts of attempts whose window is over"
  })
]

/**
 * MAC of what is counted, under a key that is derived from the master key: addresses are few enough to be guessed one
 * by one, and a copy of the database must not confirm a guess.
 */
const Subject = Schema.String.pipe(Schema.brand("Subject"))
type Subject = typeof Subject.Type

const decodeFull = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ windowEndsAt: Schema.DateTimeUtcFromDate })))
