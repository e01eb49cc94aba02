import { Array, Context, type Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { CurrentBrand } from "../../../domain/brand/Brand.ts"
import { inEnglish } from "../../../domain/files/Words.ts"
import * as Column from "../../database/Column.ts"
import { DatabaseClock } from "../../database/DatabaseClock.ts"
import { traceparent } from "../../tracing/TraceContext.ts"
import { brandKey, type PendingJob } from "../Job.ts"

/**
 * Transactional outbox: a job is a row that commits with the change it follows from, so there is never one without the
 * other. The services of `core` publish; the relay moves the rows to their queues.
 *
 * Callers must serialise the changes from which jobs of one subject follow (with a row lock on the client, say), so
 * that the order of ids is the order of commits.
 */
export class Outbox extends Context.Service<Outbox, {
  /**
   * Adds the job to the caller's transaction: `outbox.publish(ReviewNotice.make({ clientId, event: "submitted" }))`.
   */
  publish(job: PendingJob): Effect.Effect<void>
  /** Same for many at once. */
  publishAll(jobs: ReadonlyArray<PendingJob>): Effect.Effect<void>
  /** Same for a job that waits this long before it is done, with those of its subject after it; answers its id. */
  delay(job: PendingJob, wait: Duration.Duration): Effect.Effect<bigint>
  /**
   * Takes delayed jobs back, in the caller's transaction: answers false, and takes none back, when one of them is due.
   * A relay leaves alone what is being taken back, so a job is either taken back or done.
   */
  withdraw(ids: ReadonlyArray<bigint>): Effect.Effect<boolean>
}>()("slotkey/foundation/jobs/outbox/Outbox") {
  static readonly layer: Layer.Layer<Outbox, never, SqlClient.SqlClient> = Layer.effect(
    Outbox,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const insert = Effect.fnUntraced(function*(jobs: ReadonlyArray<PendingJob>, wait?: Duration.Duration) {
        const brand = yield* CurrentBrand
        const payloadOf = ({ payload }: PendingJob) =>
          JSON.stringify(brand === undefined ? payload : { ...Object(payload), [brandKey]: inEnglish(brand.name) })
        const column = (of: (job: PendingJob) => string) => Column.texts(jobs.map(of))
        const now = yield* DatabaseClock.statementNow
        const due = wait === undefined ? sql`NULL::timestamptz` : sql`${now} + ${Column.interval(wait)}`
        // The jobs go on with the trace of the change that they follow from. One that has to wait for another of its
        // subject is no more late than that.
        return yield* sql<{ readonly id: bigint }>`
          INSERT INTO outbox (queue, subject, payload, created_at, traceparent, due_at)
          SELECT j.queue, j.subject, j.payload::jsonb, ${now}, ${Option.getOrNull(yield* traceparent)}::text,
            greatest(${due}, (SELECT max(e.due_at) FROM outbox e WHERE e.queue = j.queue AND e.subject = j.subject
              AND e.done_at IS NULL AND e.dead_at IS NULL))
          FROM unnest(${column(({ queue }) => queue)}, ${column(({ subject }) => subject)},
            ${column(payloadOf)})
            WITH ORDINALITY AS j (queue, subject, payload, at) ORDER BY j.at RETURNING id`
      }, Effect.orDie)

      const publishAll = Effect.fn("Outbox.publish")((jobs: ReadonlyArray<PendingJob>) => Effect.asVoid(insert(jobs)))

      const delay = Effect.fn("Outbox.delay")((job: PendingJob, wait: Duration.Duration) =>
        Effect.map(insert([job], wait), (rows) => Option.getOrThrow(Array.head(rows)).id)
      )

      const withdraw = Effect.fn("Outbox.withdraw")(function*(ids: ReadonlyArray<bigint>) {
        if (ids.length === 0) return true
        const named = sql`id = ANY(${ids}::bigint[])`
        // The time is read when the rows are locked: no relay finds one due before that and takes it after.
        yield* sql`SELECT id FROM outbox WHERE ${named} ORDER BY id FOR UPDATE`
        const [open] = yield* sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM outbox WHERE ${named}
          AND enqueued_at IS NULL AND done_at IS NULL AND due_at > ${yield* DatabaseClock.statementNow}`
        if (open?.n !== ids.length) return false
        yield* sql`DELETE FROM outbox WHERE ${named}`
        return true
      }, Effect.orDie)

      return Outbox.of({ publish: (job) => publishAll([job]), publishAll, delay, withdraw })
    })
  )
}
