import { Duration, Effect, Schedule, Schema } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import * as MigrationLock from "./MigrationLock.ts"
import * as MigrationStep from "./MigrationStep.ts"
import { outageOf } from "./Outages.ts"
import { StatementTimeout } from "./StatementTimeout.ts"

export interface Steps {
  /** Each step by its name, which begins with its number, in their order. */
  readonly migrations: Readonly<Record<string, Effect.Effect<void, unknown, SqlClient.SqlClient>>>
  /** By the number of a step, the oldest schema whose code can run on what the step makes. */
  readonly contracts: Readonly<Record<number, number>>
  /** The commit whose code brings an older schema to the first of the steps. */
  readonly commitBefore: string
}

/** Schema of a database beside the one that this code knows. */
export interface SchemaStatus {
  /** Number of the last migration that the database has had; 0 for an empty one. */
  readonly version: number
  /** Number of the last migration that this code knows. */
  readonly newest: number
  /** Oldest version whose code can run on the database. */
  readonly compatibleFrom: number
  /** Migrations that are still to be done, by name. */
  readonly pending: ReadonlyArray<string>
}

/** This code cannot run on the schema of the database; the message is one line for the operator. */
export class SchemaVersionError
  extends Schema.TaggedError<SchemaVersionError>()("SchemaVersionError", { message: Schema.String })
{}

type Unusable = SchemaVersionError | SqlError.SqlError

/** Looks at the schema of a database, and migrates it by these steps. */
export const make = ({ commitBefore, contracts, migrations }: Steps) => {
  const names = Object.keys(migrations)
  const newest = Math.max(...names.map(numberOf))
  const oldest = Math.min(...names.map(numberOf))

  /** Reads how the schema stands. It needs no right but to read. */
  const status: Effect.Effect<SchemaStatus, Unusable, SqlClient.SqlClient> = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [exists] = yield* sql`SELECT 1 WHERE to_regclass('slotkey_migrations') IS NOT NULL`
    // Schemas that are too old may lack the column.
    const [row] = exists === undefined ? [] : yield* sql<Pick<SchemaStatus, "compatibleFrom" | "version">>`
      SELECT coalesce(max(migration_id), 0) AS version,
        coalesce(max((to_jsonb(m)->>'compatible_from')::integer), 0) AS compatible_from
      FROM slotkey_migrations m`
    const { compatibleFrom, version } = row ?? { compatibleFrom: 0, version: 0 }
    if (version > 0 && version < oldest) {
      return yield* new SchemaVersionError({
        message: `The database is from before the first release (version ${version} of the schema, which began with ` +
          `${oldest}): run slotkey migrate up with the code of commit ${commitBefore} first, then start this one`
      })
    }
    return { version, newest, compatibleFrom, pending: names.filter((name) => numberOf(name) > version) }
  })

  const notTooNew = Effect.tap(
    status,
    ({ compatibleFrom, version }) =>
      newest >= compatibleFrom ? Effect.void : Effect.fail(
        new SchemaVersionError({
          message: `This version of Slotkey is too old for the database: it knows version ${newest} of the schema, ` +
            `and version ${version} needs code that knows ${compatibleFrom}. Start a newer one`
        })
      )
  )

  /** Refuses a schema on which this code cannot run: one that is behind, or so far ahead that it is too old for it. */
  const check: Effect.Effect<void, Unusable, SqlClient.SqlClient> = Effect.gen(function*() {
    const found = yield* notTooNew
    if (found.pending.length === 0) return
    return yield* new SchemaVersionError({
      message: `The schema of the database is behind (version ${found.version} of ${newest}): run slotkey migrate up`
    })
  })

  /** Runs one migration, unless another process did, and notes which code the schema still carries. */
  const apply = Effect.fnUntraced(function*(name: string, migration: Steps["migrations"][string]) {
    const sql = yield* SqlClient.SqlClient
    yield* sql.withTransaction(Effect.gen(function*() {
      // Requests that come after one that waits for a lock wait, too: it gives up before anybody notices.
      yield* sql`SET LOCAL lock_timeout = ${sql.literal(String(lockMillis))}`
      yield* Migrator.make({})({ table: "slotkey_migrations", loader: Migrator.fromRecord({ [name]: migration }) })
      const carried = contracts[numberOf(name)]
      if (carried === undefined) return
      yield* sql`UPDATE slotkey_migrations SET compatible_from = ${carried} WHERE migration_id = ${numberOf(name)}`
    }))
  })

  /**
   * Brings the schema to the newest version that this code knows; one that is newer already stays as it is. Each
   * migration is a transaction of its own, so one that fails leaves nothing half done, and the next start goes on from
   * there. Of processes that start at once, one migrates and the others wait for it. Where nothing is to be done
   * nothing is locked, so a standby can be read, and no right is needed but to read.
   */
  const migrate: Effect.Effect<void, Migrator.MigrationError | Unusable, SqlClient.SqlClient> = Effect.gen(function*() {
    const isDone = yield* Effect.gen(function*() {
      const { pending, version } = yield* notTooNew
      if (pending.length === 0) return true
      yield* mayChange
      const open = Object.entries(migrations).filter(([name]) => numberOf(name) > version)
      return yield* MigrationLock.ifFree(
        "schema",
        Effect.forEach(open, ([name, migration]) => patiently(name, apply(name, migration)), { discard: true })
      )
    }).pipe(Effect.repeat({ until: (isDone) => isDone, schedule: yield* forAsLong("250 millis") }))
    if (isDone) return
    return yield* new SchemaVersionError({
      message: "Another process migrates the schema and comes to no end: look for it"
    })
  })

  return { status, check, migrate }
}

const numberOf = (name: string): number => Number.parseInt(name, 10)

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

/** Repeats a migration that met the lock of somebody's transaction. */
const patiently = Effect.fnUntraced(function*<E, R>(name: string, migration: Effect.Effect<void, E, R>) {
  const warning = yield* Effect.cached(
    Effect.logWarning(
      `Migration ${name} waits for a table that a transaction has locked: see pg_stat_activity for long ones`
    )
  )
  yield* MigrationStep.begin(`migration ${name}`)
  yield* migration.pipe(
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
