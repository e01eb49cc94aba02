import { Effect, Layer, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { removeEndedSecrets } from "../src/core/clients/secrets/SecretEnds.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { Expiry } from "../src/foundation/jobs/kinds/Expiry.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import * as MailFolder from "./MailFolder.ts"
import * as Sweeps from "./Sweeps.ts"

/**
 * Runs the sweeps one after the other, with pauses as long as the batches took, so that live traffic hardly notices.
 * Each batch commits by itself: a worker that dies leaves nothing half done, and two workers share the rows. Old files
 * of mails go last.
 */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const { database } = yield* AppConfig
  const sql = yield* SqlClient.SqlClient
  const sweeps = yield* Effect.forEach(
    Sweeps.all,
    ({ prepare, table }) => Effect.map(prepare, (deleteBatch) => ({ table, deleteBatch }))
  )
  return Worker.layer({
    kind: Expiry,
    isLong: true,
    handler: Effect.fn("Expiry")(function*(_, job) {
      // Before what may wait long: their owners are told.
      yield* removeEndedSecrets
      const figures: Record<string, number> = {}
      for (const { deleteBatch, table } of sweeps) {
        for (let more = true; more;) {
          const [took, batch] = yield* Effect.timed(deleteBatch)
          more = batch.more
          if (batch.deleted > 0) {
            figures[table] = (figures[table] ?? 0) + batch.deleted
            yield* Metric.update(Metric.withAttributes(deletedRows, { table }), batch.deleted)
            yield* job.progress(figures)
          }
          if (more) yield* Effect.sleep(took)
        }
      }
      if (Object.keys(figures).length > 0) {
        yield* Effect.logInfo("Deleted what was past its time", figures)
        // PGlite has no process that vacuums, and the room of deleted rows would never be used again.
        if (database._tag === "Embedded") yield* sql`VACUUM`
      }
      const mails = yield* MailFolder.sweep
      if (mails > 0) yield* Effect.logInfo("Deleted the files of old mails", { mails })
    })
  })
}))

export const worker = { kind: Expiry, does: "deletes rows that have expired, 1,000 at a time with pauses", layer }

const deletedRows = Metric.counter("slotkey_expired_rows_total", {
  description: "Rows deleted because their time was over, by table",
  incremental: true
})
