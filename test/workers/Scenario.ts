import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { OperatorServices } from "../../src/app/Operator.ts"
import { AuditLog } from "../../src/core/audit/AuditLog.ts"
import { ClientId, UserId } from "../../src/domain/Ids.ts"
import { DatabaseChecks } from "../../src/foundation/database/DatabaseChecks.ts"
import { OperatorRoutes } from "../../src/foundation/operator/OperatorRoutes.ts"
import * as Operator from "../../workers/Operator.ts"
import { Routes } from "../../workers/Routes.ts"

/** Routes on the port of a process with workers, for which trouble with jobs is `failed` or `degraded`. */
export const onPort = (trouble: "degraded" | "failed") =>
  Layer.mergeAll(OperatorRoutes, Routes, Operator.layer(trouble), DatabaseChecks).pipe(
    Layer.provide([OperatorServices, AuditLog.layer])
  )

/** Inserts an administrator, a reviewer, an owner with an app, and a user. Ids are names. */
export const addPeople = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  for (const [id, role] of [["ada", "admin"], ["bob", "reviewer"], ["olive", "user"], ["uma", "user"]] as const) {
    yield* sql`INSERT INTO accounts (id, email, username, name, role, created_at)
      VALUES (${id}, ${`${id}@example.test`}, ${id}, ${id}, ${role}, ${now})`
  }
  yield* sql`INSERT INTO clients (id, owner_id, kind, status, name, purpose, website, redirect_uris, scopes,
      submitted_at, created_at, updated_at)
    VALUES (${app}, 'olive', 'public', 'pending', 'Tidy Calendar', 'Keeps calendars tidy', 'https://tidy.test',
      ARRAY['https://tidy.test/cb'], ARRAY['PROFILE_READ'], ${now}, ${now}, ${now})`
})

export const app = ClientId.make("client_tidy")
export const user = UserId.make("uma")
