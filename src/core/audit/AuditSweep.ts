import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Sweep from "../../foundation/database/Sweep.ts"
import * as AuditExport from "./AuditExport.ts"
import { allEntries, lastingActions } from "./AuditLog.ts"

/**
 * Entries are deleted by the UTC day and by blocks of a thousand ids, in the order of ids, and a day only as a whole:
 * so no new entry joins those of a batch, and a batch that is exported again, after a crash, has the same file with the
 * same content. The transaction commits once the file is on the disk.
 */
const auditLog: Sweep.Sweep = {
  table: "audit_log",
  retention: "auditLifetime",
  rows:
    "entries of the audit log, in `AUDIT_EXPORT_DIR` first if that is set; those that deleted, suspended or resumed " +
    "an app are kept for good, because later decisions look at them",
  prepare: Effect.gen(function*() {
    const { auditExportDir, auditLifetime } = yield* AppConfig
    const sql = yield* SqlClient.SqlClient
    const write = Option.map(auditExportDir, AuditExport.make)

    const deleteOldest = Effect.gen(function*() {
      const ago = yield* Sweep.ago(sql)
      const rows = yield* allEntries(sql`WITH oldest AS (
          SELECT id / ${Sweep.batchSize} AS block, date_trunc('day', at, 'UTC') AS day FROM audit_log
          WHERE NOT action = ANY(${lastingActions}::text[]) ORDER BY id LIMIT 1
        )
        DELETE FROM audit_log USING oldest
        WHERE audit_log.id >= block * ${Sweep.batchSize} AND audit_log.id < (block + 1) * ${Sweep.batchSize}
          AND date_trunc('day', at, 'UTC') = day AND day + interval '1 day' <= ${ago(auditLifetime)}
          AND NOT action = ANY(${lastingActions}::text[])
        RETURNING audit_log.id::text, at, actor, action, client_id, user_id, grant_id, details`)
      const entries = rows.toSorted((a, b) => BigInt(a.id) < BigInt(b.id) ? -1 : 1)
      if (Option.isSome(write)) yield* write.value(entries)
      return { deleted: entries.length, more: entries.length > 0 }
    })
    return sql.withTransaction(deleteOldest)
  })
}

export const sweeps = [auditLog]
