import type { PgPool } from "@effect/sql-pg"
import { Cause, type Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { ConnectionOptions } from "node:tls"
import { AppConfig } from "../config/AppConfig.ts"
import type { DatabaseAddress } from "../config/DatabaseAddress.ts"
import { DatabaseClock } from "./DatabaseClock.ts"
import * as DatabaseSchema from "./DatabaseSchema.ts"
import { answers, socketPath } from "./embedded/DataFolder.ts"
import { DatabaseHosts } from "./hosts/DatabaseHosts.ts"
import { HeardSockets } from "./hosts/HeardSockets.ts"
import { rootCertificate } from "./hosts/RootCertificate.ts"
import * as IndexBuilder from "./IndexBuilder.ts"
import { logFailure, outageOf, rootMessage } from "./Outages.ts"
import * as PostgresClient from "./PostgresClient.ts"
import { StatementTimeout } from "./StatementTimeout.ts"

/** The database cannot be used; the message is one line for the operator and contains no password. */
export class DatabaseError extends Schema.TaggedError<DatabaseError>()("DatabaseError", {
  message: Schema.String,
  /** What to do about it, where that is known. */
  remedy: Schema.optionalKey(Schema.String)
}) {}

/** Client of the database, and the choice of its host for those that open connections of their own. */
type Connection = SqlClient.SqlClient | DatabaseHosts

type Clients = Connection | DatabaseClock

/**
 * Database of a server process: the one of `DATABASE_URL`, else the embedded one in `DATA_DIR`. This room gives every
 * process its connection and the database's clock, migrates the schema first, and holds what all repositories share:
 * mailboxes, sweeps, column types.
 */
export const layer: Layer.Layer<Clients, DatabaseError, AppConfig> = Layer.unwrap(Effect.gen(function*() {
  const { dataDir, database, migrate, ...timeouts } = yield* AppConfig
  const schema = atStart(migrate)
  if (database._tag === "Embedded") return layerEmbedded(dataDir, "folder", schema)
  const direct = layerDirect(database.direct, timeouts, schema)
  return database.isPooled ? layerPooled(database.address, timeouts, direct) : direct
}))

/**
 * Same for a process beside the server: joins an embedded database that is running instead of opening it again, and
 * goes round a pooler.
 */
export const layerBeside: Layer.Layer<Clients, DatabaseError, AppConfig> = Layer.unwrap(
  Effect.map(AppConfig, ({ migrate }) => beside(atStart(migrate)))
)

/** Same for a command, which leaves the schema as it is and refuses one that is behind. */
export const layerForCommand: Layer.Layer<Clients, DatabaseError, AppConfig> = Layer.suspend(() => beside("checked"))

/** Same for commands that look at the schema, whatever it is, or migrate it. */
export const layerForMigration: Layer.Layer<Clients, DatabaseError, AppConfig> = Layer.suspend(() =>
  beside("untouched")
)

/** Brings the schema to the newest version and builds its indexes, as the operator's command does. */
export const migrate: Effect.Effect<void, DatabaseError, AppConfig | SqlClient.SqlClient> = Effect.gen(function*() {
  const { database, migrationTimeout } = yield* AppConfig
  yield* Effect.andThen(DatabaseSchema.migrate, IndexBuilder.build(database._tag === "Server" ? "server" : "embedded"))
    .pipe(
      Effect.provideService(StatementTimeout, migrationTimeout),
      Effect.mapError(describeError)
    )
})

/** Step about the schema before a process uses the database. */
type SchemaAtStart = "checked" | "migrated" | "untouched"

const atStart = (migrate: AppConfig["Service"]["migrate"]): SchemaAtStart =>
  Option.isSome(migrate) ? "checked" : "migrated"

const beside = (schema: SchemaAtStart): Layer.Layer<Clients, DatabaseError, AppConfig> =>
  Layer.unwrap(Effect.gen(function*() {
    const { dataDir, database, ...timeouts } = yield* AppConfig
    if (database._tag === "Server") return layerDirect(database.direct, timeouts, schema)
    const path = socketPath(dataDir)
    return (yield* answers(path))
      ? withSchema(layerSocket(path), onEmbedded(schema))
      : layerEmbedded(dataDir, "folder", schema)
  }))

type Timeouts = Pick<AppConfig["Service"], "migrationTimeout" | "requestTimeout" | "tokenTimeout">

const layerDirect = (address: DatabaseAddress, timeouts: Timeouts, schema: SchemaAtStart) =>
  withSchema(
    layerLimited(address, { startupParameters: PostgresClient.serverGuards }, timeouts),
    Effect.provideService(onServer(schema), StatementTimeout, timeouts.migrationTimeout)
  )

// A prepared statement belongs to a session, and a pooler gives each transaction the session that is free; it takes no
// settings of a session either. The schema is looked after directly, before.
const layerPooled = (address: DatabaseAddress, timeouts: Timeouts, direct: Layer.Layer<Clients, DatabaseError>) =>
  DatabaseClock.layer.pipe(
    Layer.provideMerge(Layer.effectDiscard(usualIsolation)),
    Layer.provideMerge(layerLimited(address, { prepare: false }, timeouts)),
    Layer.catch(described),
    Layer.provide(Layer.effectDiscard(Effect.scoped(Layer.build(direct))))
  )

const usualIsolation = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly level: string }>`SELECT current_setting('default_transaction_isolation') AS level`
  if (row?.level === PostgresClient.isolation) return
  return yield* new DatabaseError({
    message:
      `Behind the pooler each transaction has the isolation level ${row?.level}, under which requests at the same ` +
      "moment exclude each other.",
    remedy: `ALTER ROLE … SET default_transaction_isolation = '${PostgresClient.isolation}', and reconnect the pooler.`
  })
})

const layerLimited = (
  address: DatabaseAddress,
  options: PgPool.Config,
  { requestTimeout, tokenTimeout }: Timeouts
) => layerAt(address, { ...options, maxConnections: 10, connectTimeout: tokenTimeout }, requestTimeout)

const layerAt = (address: DatabaseAddress, options: PgPool.Config, requestTimeout?: Duration.Duration) =>
  Layer.unwrap(Effect.gen(function*() {
    const ssl = yield* rootCertificate(address[0].url)
    return Layer.provideMerge(layerOn(options, ssl, requestTimeout), DatabaseHosts.layer(address, ssl))
  }))

const layerOn = (options: PgPool.Config, ssl: ConnectionOptions | undefined, requestTimeout?: Duration.Duration) =>
  Layer.unwrap(Effect.map(DatabaseHosts, (hosts) => {
    const sockets = new HeardSockets(hosts.socket)
    const config = {
      ...options,
      ssl,
      // The driver reads it whenever it opens a connection.
      get url() {
        return hosts.url()
      },
      stream: sockets.open,
      applicationName: "slotkey"
    }
    const onFailure = (cause: Cause.Cause<unknown>) => {
      if (outageOf(cause)?.name === "database read-only") hosts.reconsider()
    }
    return PostgresClient.layer(
      requestTimeout === undefined
        ? { config, sockets }
        : { config, sockets, limits: { requestTimeout, onFailure, commits: hosts.commits } }
    )
  }))

/** PGlite behind a socket in `folder`, stored there or in memory only; it is loaded only when this layer is built. */
export const layerEmbedded = (
  folder: string,
  storage: "folder" | "memory",
  schema: SchemaAtStart = "migrated"
): Layer.Layer<Clients, DatabaseError> =>
  Layer.unwrap(Effect.gen(function*() {
    const { serve } = yield* Effect.promise(() => import("./embedded/Embedded.ts"))
    const { isMigrated, keepImage, path } = yield* serve(folder, storage)
    const keepsImage = storage === "memory" && schema === "migrated"
    const keepWhole = Effect.flatMap(IndexBuilder.open, ({ length }) => length === 0 ? keepImage : Effect.void)
    const prepared = keepsImage ? Effect.andThen(onEmbedded(schema), keepWhole) : onEmbedded(schema)
    return withSchema(layerSocket(path), isMigrated ? Effect.void : prepared)
  })).pipe(
    Layer.catch((error) => Layer.effectContext(Effect.fail(new DatabaseError({ message: error.message })))),
    uninterruptible
  )

// A client that is interrupted while it connects to PGlite would wait forever, so a signal waits until the start is
// over.
const uninterruptible = <A, E>(self: Layer.Layer<A, E>): Layer.Layer<A, E> =>
  Layer.effectContext(Effect.uninterruptible(Layer.build(self)))

// Prepared statements have a name in their session, and all connections to PGlite share one session.
const layerSocket = (path: string) =>
  layerAt([{
    name: path,
    socket: { path, isEmbedded: true },
    url: Redacted.make("postgres://postgres@localhost/postgres")
  }], {
    prepare: false,
    maxConnections: 4
  })

const withSchema = <E extends SqlError.SqlError | DatabaseError>(
  connection: Layer.Layer<Connection, E>,
  prepare: ReturnType<typeof onServer>
): Layer.Layer<Clients, DatabaseError> =>
  DatabaseClock.layer.pipe(
    Layer.provideMerge(Layer.effectDiscard(prepare)),
    Layer.provideMerge(connection),
    Layer.catch(described)
  )

const prepare = (database: "embedded" | "server") => (schema: SchemaAtStart) =>
  Effect.gen(function*() {
    if (schema === "checked") return yield* DatabaseSchema.check
    if (schema === "untouched") return
    yield* DatabaseSchema.migrate
    // Without them something is slow. The next start builds those that are missing.
    yield* Effect.catchCause(
      IndexBuilder.build(database),
      (cause) => Cause.hasInterruptsOnly(cause) ? Effect.interrupt : logFailure("An index could not be built", cause)
    )
  })
const onEmbedded = prepare("embedded")
const onServer = prepare("server")

const described = (error: Failure) => Layer.effectContext(Effect.fail(describeError(error)))

type Failure = { readonly _tag: string; readonly message: string; readonly cause?: unknown }

const describeError = (error: Failure): DatabaseError => {
  if (error instanceof DatabaseError) return error
  if (error._tag === "SchemaVersionError") return new DatabaseError({ message: error.message })
  const because = rootMessage(error)
  const { remedy, what = "The database cannot be reached." } = outageOf(error) ?? {}
  return new DatabaseError({
    message: error._tag === "MigrationError"
      ? `The database cannot be migrated: ${error.message} (${because})`
      : `${what.replace(/\.$/, "")}: ${because}`,
    ...remedy === undefined ? {} : { remedy }
  })
}
