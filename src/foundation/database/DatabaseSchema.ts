import { Duration, Effect, Record, Schedule, Schema } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import * as MigrationLock from "./MigrationLock.ts"
import { contracts, migrations } from "./migrations/index.ts"
import * as MigrationStep from "./MigrationStep.ts"
import { outageOf } from "./Outages.ts"
import { StatementTimeout } from "./StatementTimeout.ts"

/** Schema of a database beside the one that this code knows. */
export interface SchemaStatus {
  /** Number of the last migration that the database has had; 0 for an empty one. */
  readonly version: number
  /** Number of the last migration that this code knows. */
  readonly newest: number
  /** Oldest version whose code can run on the database. */
  readonly compatibleFrom: number
  /** Migrations that are still to be done, by name. */
  readonly pending: ReadonlyArray<MigrationName>
}

/** This code cannot run on the schema of the database; the message is one line for the operator. */
export class SchemaVersionError
  extends Schema.TaggedError<SchemaVersionError>()("SchemaVersionError", { message: Schema.String })
{}

type MigrationName = keyof typeof migrations

type Failure = Migrator.MigrationError | SchemaVersionError | SqlError.SqlError

/** Reads how the schema stands. It needs no right but to read. */
export const status: Effect.Effect<SchemaStatus, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [exists] = yield* sql`SELECT 1 WHERE to_regclass('slotkey_migrations') IS NOT NULL`
  // The column came with a migration.
  const [row] = exists === undefined ? [] : yield* sql<{ readonly version: number; readonly compatibleFrom: number }>`
    SELECT coalesce(max(migration_id), 0) AS version,
      coalesce(max((to_jsonb(m)->>'compatible_from')::integer), 0) AS compatible_from
    FROM slotkey_migrations m`
  const { compatibleFrom, version } = row ?? { compatibleFrom: 0, version: 0 }
  return { version, newest, compatibleFrom, pending: names.filter((name) => numberOf(name) > version) }
})

/** Refuses a schema on which this code cannot run: one that is behind, or so far ahead that it is too old for it. */
export const check: Effect.Effect<void, SchemaVersionError | SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(
  function*() {
    const found = yield* notTooNew
    if (found.pending.length === 0) return
    return yield* new SchemaVersionError({
      message: `The schema of the database is behind (version ${found.version} of ${newest}): run slotkey migrate up`
    })
  }
)

/**
 * Brings the schema to the newest version that this code knows; one that is newer already stays as it is. Each
 * migration is a transaction of its own, so one that fails leaves nothing half done, and the next start goes on from
 * there. Of processes that start at once, one migrates and the others wait for it. Where nothing is to be done nothing
 * is locked, so a standby can be read, and no right is needed but to read.
 */
export const migrate: Effect.Effect<void, Failure, SqlClient.SqlClient> = Effect.gen(function*() {
  const isDone = yield* Effect.gen(function*() {
    const { pending } = yield* notTooNew
    if (pending.length === 0) return true
    yield* mayChange
    return yield* MigrationLock.ifFree("schema", Effect.forEach(pending, patiently, { discard: true }))
  }).pipe(Effect.repeat({ until: (isDone) => isDone, schedule: yield* forAsLong("250 millis") }))
  if (isDone) return
  return yield* new SchemaVersionError({
    message: "Another process migrates the schema and comes to no end: look for it"
  })
})

/** Refuses a role without the right to change the schema, whose first statement would fail in words of its own. */
const mayChange = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly may: boolean | null }>`
    SELECT has_schema_privilege(current_schema(), 'CREATE') AS may`
  if (row?.may !== false) return
  return yield* new SchemaVersionError({
    message:
      "The role in DATABASE_URL may not change the schema of the database: run slotkey migrate up with a role that may"
  })
})

const notTooNew = Effect.tap(
  status,
  ({ compatibleFrom, version }) =>
    newest >= compatibleFrom ? Effect.void : Effect.fail(
      new SchemaVersionError({
        message: `This version of Slotkey is too old for the database: it knows version ${newest} of the schema, and ` +
          `version ${version} needs code that knows ${compatibleFrom}. Start a newer one`
      })
    )
)

/** All migrations, in their order. */
export const names = Record.keys(migrations)
const numberOf = (name: string): number => Number.parseInt(name, 10)
const newest = Math.max(...names.map(numberOf))

/** Runs one migration, unless another process did, and notes which code the schema still carries. */
const apply = Effect.fnUntraced(function*(name: MigrationName) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(Effect.gen(function*() {
    // Requests that come after one that waits for a lock wait, too: it gives up before anybody notices.
    yield* sql`SET LOCAL lock_timeout = ${sql.literal(String(lockMillis))}`
    yield* Migrator.make({})({ table: "slotkey_migrations", loader: Migrator.fromRecord({ [name]: migrations[name] }) })
    const carried = contracts[numberOf(name)]
    if (carried === undefined) return
    yield* sql`UPDATE slotkey_migrations SET compatible_from = ${carried} WHERE migration_id = ${numberOf(name)}`
  }))
})

/** Repeats a migration that met the lock of somebody's transaction. */
const patiently = Effect.fnUntraced(function*(name: MigrationName) {
  const warning = yield* Effect.cached(
    Effect.logWarning(
      `Migration ${name} waits for a table that a transaction has locked: see pg_stat_activity for long ones`
    )
  )
  yield* MigrationStep.begin(`migration ${name}`)
  yield* apply(name).pipe(
    Effect.tapError((error) => isLockedOut(error) ? warning : Effect.void),
    Effect.retry({ while: isLockedOut, schedule: yield* forAsLong("1 second") })
  )
})

const isLockedOut = (error: unknown): boolean => outageOf(error)?.isBrief === true

const lockMillis = 2_000

/** Asks again and again, for as long as one statement of a migration may take. */
const forAsLong = (pause: Duration.Input) =>
  Effect.map(
    StatementTimeout,
    (limit) => Schedule.spaced(pause).pipe(Schedule.upTo({ duration: limit ?? Duration.minutes(10) }))
  )
