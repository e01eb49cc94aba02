import { Effect } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import { outageOf } from "../Outages.ts"
import tables from "./0001_tables.ts"
import roomForSpentCodes from "./0002_room_for_spent_codes.ts"
import auditByAction from "./0003_audit_by_action.ts"
import limits from "./0004_limits.ts"
import guessableSecrets from "./0005_guessable_secrets.ts"
import graceUntilUsed from "./0006_grace_until_used.ts"
import vacuum from "./0007_vacuum.ts"
import traceparent from "./0008_traceparent.ts"
import importedGrants from "./0009_imported_grants.ts"

const migrations = {
  "0001_tables": tables,
  "0002_room_for_spent_codes": roomForSpentCodes,
  "0003_audit_by_action": auditByAction,
  "0004_limits": limits,
  "0005_guessable_secrets": guessableSecrets,
  "0006_grace_until_used": graceUntilUsed,
  "0007_vacuum": vacuum,
  "0008_traceparent": traceparent,
  "0009_imported_grants": importedGrants
}

/**
 * Brings the database to the newest schema. All pending migrations run in one transaction under a table lock, so that
 * two nodes may start at once and a failed migration leaves nothing half done. On a standby, which is read until it is
 * promoted, nothing is to be done if the primary has had them all.
 */
export const migrate: Effect.Effect<void, Migrator.MigrationError | SqlError.SqlError, SqlClient.SqlClient> = Effect
  .asVoid(Migrator.make({})({ table: "slotkey_migrations", loader: Migrator.fromRecord(migrations) }))
  .pipe(Effect.catchIf(
    (error) => outageOf(error)?.name === "database read-only",
    (error) => Effect.flatMap(isNewest, (yes) => yes ? Effect.void : Effect.fail(error))
  ))

const isNewest = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const done = yield* sql`SELECT 1 FROM slotkey_migrations`
  return done.length >= Object.keys(migrations).length
})
