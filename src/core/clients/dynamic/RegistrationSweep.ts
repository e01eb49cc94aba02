import { Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClientId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { AppEvents } from "../events/AppEvents.ts"

/**
 * Apps that registered by themselves and that nobody uses: no user has asked for their review, or none gives them
 * access since. One that waits for its review stays until it is decided, one that has access as long as that. Use is
 * noted once a day.
 */
const unused: Sweep.Sweep<AppEvents | AuditLog> = {
  table: "registrations",
  retention: "registrationLifetime",
  rows: "apps that registered by themselves and that nobody has asked for or used for so long",
  prepare: Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const audit = yield* AuditLog
    const events = yield* AppEvents
    const { registrationLifetime } = yield* AppConfig
    const hasGrants = sql`EXISTS (SELECT FROM grants WHERE grants.client_id = r.client_id)`
    const deleteBatch: Sweep.DeleteBatch = Effect.gen(function*() {
      const ago = yield* Sweep.ago(sql)
      yield* sql`UPDATE registrations r SET used_at = ${ago(Duration.zero)}
        WHERE (used_at IS NULL OR used_at <= ${ago(Duration.days(1))}) AND ${hasGrants}`
      const gone = yield* allGone(sql`DELETE FROM clients WHERE id = ANY(ARRAY(
          SELECT c.id FROM registrations r JOIN clients c ON c.id = r.client_id
          WHERE (c.status IN ('approved', 'rejected') OR c.status = 'pending' AND r.asked_at IS NULL)
            AND greatest(r.registered_at, r.asked_at, c.reviewed_at, r.used_at) <= ${ago(registrationLifetime)}
            AND NOT ${hasGrants}
          LIMIT ${Sweep.batchSize} FOR UPDATE OF c SKIP LOCKED
        )) RETURNING id, name, status`)
      yield* Effect.forEach(gone, ({ id }) => events.appDeleted(id), { discard: true })
      yield* audit.recordAll(
        gone.map(({ id, name, status }) => ({
          actor: "slotkey",
          action: "client.expired",
          clientId: id,
          details: { name, status }
        }))
      )
      return { deleted: gone.length, more: gone.length === Sweep.batchSize }
    }).pipe(inTransaction(sql))
    return deleteBatch
  })
}

export const sweeps = [unused]

const allGone = Rows.all(Schema.Struct({ id: ClientId, name: Schema.String, status: Schema.String }))
