import { Context, Effect, Layer, Option } from "effect"
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
}>()("slotkey/foundation/jobs/outbox/Outbox") {
  static readonly layer: Layer.Layer<Outbox, never, SqlClient.SqlClient> = Layer.effect(
    Outbox,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const publishAll = Effect.fn("Outbox.publish")(function*(jobs: ReadonlyArray<PendingJob>) {
        const brand = yield* CurrentBrand
        const payloadOf = ({ payload }: PendingJob) =>
          JSON.stringify(brand === undefined ? payload : { ...Object(payload), [brandKey]: inEnglish(brand.name) })
        const column = (of: (job: PendingJob) => string) => Column.texts(jobs.map(of))
        // The jobs go on with the trace of the change that they follow from.
        yield* sql`INSERT INTO outbox (queue, subject, payload, created_at, traceparent)
          SELECT j.queue, j.subject, j.payload::jsonb, ${yield* DatabaseClock.statementNow},
            ${Option.getOrNull(yield* traceparent)}::text
          FROM unnest(${column(({ queue }) => queue)}, ${column(({ subject }) => subject)},
            ${column(payloadOf)})
            WITH ORDINALITY AS j (queue, subject, payload, at) ORDER BY j.at`
      }, Effect.orDie)

      return Outbox.of({ publish: (job) => publishAll([job]), publishAll })
    })
  )
}
