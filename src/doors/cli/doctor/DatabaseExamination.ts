import { Effect, Layer } from "effect"
import { ClaimedRoles } from "../../../core/accounts/people/ClaimedRoles.ts"
import { AuditLog } from "../../../core/audit/AuditLog.ts"
import { storedCatalogueCheck } from "../../../core/catalogue/CatalogueCheck.ts"
import { Catalogues } from "../../../core/catalogue/Catalogues.ts"
import { storedKeysCheck } from "../../../core/keys/KeyChecks.ts"
import { ServerKeys } from "../../../core/keys/ServerKeys.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import * as Database from "../../../foundation/database/Database.ts"
import { databaseChecks } from "../../../foundation/database/DatabaseChecks.ts"
import * as DatabaseSchema from "../../../foundation/database/DatabaseSchema.ts"
import { databaseServerChecks } from "../../../foundation/database/DatabaseServerChecks.ts"
import { hasDatabase } from "../../../foundation/database/embedded/DataFolder.ts"
import { OutboxRepo } from "../../../foundation/jobs/outbox/OutboxRepo.ts"
import { degraded, failed, ok } from "../../../foundation/operator/Readiness.ts"
import { inspect } from "../SchemaState.ts"
import { claimedRolesCheck } from "./ClaimedRolesCheck.ts"
import { diagnose, type Diagnosis, diagnosisOf } from "./Diagnosis.ts"
import { ownerlessAppsCheck } from "./OwnerlessAppsCheck.ts"
import { usageCheck } from "./UsageCheck.ts"
import { workersCheck } from "./WorkersCheck.ts"

/** Database and what is in it; what nobody can know without the database is left out. */
export const examineDatabase: Effect.Effect<ReadonlyArray<Diagnosis>, never, AppConfig> = Effect.gen(function*() {
  const { dataDir, database } = yield* AppConfig
  // Looking must not make one.
  if (database._tag === "Embedded" && !(yield* hasDatabase(dataDir))) return [none(dataDir)]
  return yield* Layer.build(
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.provide(Catalogues.layer, AuditLog.layer),
        ClaimedRoles.layer,
        OutboxRepo.layer,
        ServerKeys.layer
      ),
      Database.layerForMigration
    )
  ).pipe(
    Effect.flatMap((context) => Effect.provideContext(examineInside, context)),
    Effect.scoped,
    Effect.catchTag(
      "DatabaseError",
      ({ message, remedy }) => Effect.succeed([diagnosisOf("database", failed(message, remedy))])
    )
  )
})

const none = (dataDir: string) =>
  diagnosisOf(
    "database",
    failed(
      `There is no database in ${dataDir} (DATA_DIR).`,
      "Start a server: slotkey serve makes one. Or name the one that there is with DATA_DIR or DATABASE_URL."
    )
  )

const examineInside = Effect.gen(function*() {
  const own = yield* Effect.forEach(yield* databaseChecks, diagnose)
  const unreachable = own.filter(({ check, status }) => check === "database" && status === "failed")
  if (unreachable.length > 0) return unreachable
  const found = yield* examineServer(own)
  const schema = yield* diagnose({ name: "schema", probe: schemaProbe, otherwise: "failed" })
  // The tables of keys, catalogues and jobs come with the schema.
  if (schema.status === "failed") return [...found, schema]
  const { database } = yield* AppConfig
  const checks = [
    yield* storedKeysCheck,
    yield* storedCatalogueCheck,
    ...yield* claimedRolesCheck,
    ownerlessAppsCheck,
    usageCheck,
    ...database._tag === "Server" ? [yield* workersCheck] : []
  ]
  return [...found, schema, ...yield* Effect.forEach(checks, diagnose)]
})

/** Adds what a database server can have wrong; that its disk is full takes the place of what the question found. */
const examineServer = Effect.fnUntraced(function*(own: ReadonlyArray<Diagnosis>) {
  if ((yield* AppConfig).database._tag !== "Server") return own
  const { role, room, session } = yield* databaseServerChecks
  const full = [yield* diagnose(room)].filter(({ status }) => status !== "ok")
  const pooler = [yield* diagnose(session)].filter(({ status }) => status !== "ok")
  return [
    ...own.flatMap((one) => one.check === "database" && one.status === "ok" && full.length > 0 ? full : [one]),
    ...pooler,
    yield* diagnose(role)
  ]
})

const schemaProbe = Effect.gen(function*() {
  const { pending, schema } = yield* inspect
  if (pending.length > 0) {
    // Without an index something is slow; without the rest something fails.
    const isBehind = pending.some((step) => !step.startsWith("index "))
    const more = pending.length > 1 ? ` and ${pending.length - 1} more` : ""
    const detail = `The schema has version ${schema.version} of ${schema.newest}. To be done: ${pending[0]}${more}.`
    return isBehind ? failed(detail) : degraded(detail)
  }
  yield* DatabaseSchema.check
  return ok(`The schema has version ${schema.version}.`)
}).pipe(Effect.catch(({ message }) => Effect.succeed(failed(message))))
