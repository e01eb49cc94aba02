import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseClock } from "../../database/DatabaseClock.ts"
import { traceparent } from "../../tracing/TraceContext.ts"
import type { PendingJob } from "../Job.ts"

/**
 * The transactional outbox: a job is a row that commits with the change it follows from, so there is never one without
 * the other. The services of `core` publish; the relay moves the rows to their queues.
 *
 * Callers must serialise the changes from which jobs of one subject follow (with a row lock on the client, say), so
 * that the order of ids is the order of commits.
 */
export class Outbox extends Context.Service<Outbox, {
  /**
   * Adds the job to the caller's transaction: `outbox.publish(ReviewNotice.make({ clientId, event: "submitted" }))`.
   */
  publish(job: PendingJob): Effect.Effect<void>
}>()("slotkey/foundation/jobs/outbox/Outbox") {
  static readonly layer: Layer.Layer<Outbox, never, SqlClient.SqlClient> = Layer.effect(
    Outbox,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const publish = Effect.fn("Outbox.publish")(function*({ payload, queue, subject }: PendingJob) {
        // The job goes on with the trace of the change that it follows from.
        yield* sql`INSERT INTO outbox (queue, subject, payload, created_at, traceparent)
          VALUES (${queue}, ${subject}, ${JSON.stringify(payload)}::text::jsonb, ${yield* DatabaseClock.statementNow},
            ${Option.getOrNull(yield* traceparent)})`
      }, Effect.orDie)

      return Outbox.of({ publish })
    })
  )
}
