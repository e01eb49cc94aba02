import { Clock, Duration, Effect, Layer, Metric } from "effect"
import { Expiry } from "../src/foundation/jobs/kinds/Expiry.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import * as Sweeps from "./Sweeps.ts"

/**
 * Deletes what is past its time, in small batches with pauses as long as the batches took, so that live traffic hardly
 * notices. Each batch is a transaction of its own: a worker that dies leaves nothing half done, and two share the work.
 */
export const layer = Layer.unwrap(Effect.map(Sweeps.make, (sweeps) =>
  Worker.layer({
    kind: Expiry,
    schedule: { payload: {}, times: { every: Duration.minutes(5) } },
    returnAtStop: true,
    handler: Effect.fn("Expiry")(function*(_, job) {
      const figures: Record<string, number> = {}
      for (const { batch, table } of sweeps) {
        for (let more = true; more;) {
          const started = yield* Clock.currentTimeMillis
          const done = yield* batch
          more = done.more
          if (done.deleted > 0) {
            figures[table] = (figures[table] ?? 0) + done.deleted
            yield* Metric.update(Metric.withAttributes(deleted, { table }), done.deleted)
            yield* job.progress(figures)
          }
          if (more) yield* Effect.sleep(Duration.millis((yield* Clock.currentTimeMillis) - started))
        }
      }
      if (Object.keys(figures).length > 0) yield* Effect.logInfo("Deleted what was past its time", figures)
    })
  })))

const deleted = Metric.counter("slotkey_expired_rows_total", {
  description: "Rows deleted because their time was over, by table",
  incremental: true
})
