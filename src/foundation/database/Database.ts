import type { PgPool } from "@effect/sql-pg"
import { type Cause, type Duration, Effect, Layer, Predicate, Redacted, Schema } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import { AppConfig, type DatabaseServer } from "../config/AppConfig.ts"
import type { DatabaseAddress } from "../config/DatabaseAddress.ts"
import { DatabaseClock } from "./DatabaseClock.ts"
import { DatabaseHosts } from "./DatabaseHosts.ts"
import { answers, socketPath } from "./DataFolder.ts"
import { HeardSockets } from "./HeardSockets.ts"
import { migrate } from "./migrations/index.ts"
import { outageOf } from "./Outages.ts"
import * as PostgresClient from "./PostgresClient.ts"
import { StatementTimeout } from "./StatementTimeout.ts"

/** The database cannot be used; the message is one line for the operator and contains no password. */
export class DatabaseError extends Schema.TaggedError<DatabaseError>()("DatabaseError", {
  message: Schema.String
}) {}

/** The client of the database, and the choice of its host for those that open connections of their own. */
type Connection = SqlClient.SqlClient | DatabaseHosts

type Clients = Connection | DatabaseClock

/**
 * The database of a server process: that of `DATABASE_URL`, else the embedded one in `DATA_DIR`. This room gives every
 * process its connection and the database's clock, migrates the schema first, and holds what all repositories share:
 * mailboxes, sweeps, column types.
 */
export const layer: Layer.Layer<Clients, DatabaseError, AppConfig> = Layer.unwrap(Effect.gen(function*() {
  const { dataDir, database, ...timeouts } = yield* AppConfig
  return database._tag === "Server" ? layerServer(database, timeouts) : layerEmbedded(dataDir, "folder")
}))

/**
 * The same for a process beside the server: joins an embedded database that is running instead of opening it again, and
 * goes round a pooler.
 */
export const layerBeside: Layer.Layer<Clients, DatabaseError, AppConfig> = Layer.unwrap(Effect.gen(function*() {
  const { dataDir, database, ...timeouts } = yield* AppConfig
  if (database._tag === "Server") return layerMigrated(database.direct, timeouts)
  const path = socketPath(dataDir)
  return (yield* answers(path)) ? migrated(layerSocket(path)) : layerEmbedded(dataDir, "folder")
}))

const layerServer = (
  { address, direct, isPooled }: DatabaseServer,
  timeouts: Timeouts
): Layer.Layer<Clients, DatabaseError> =>
  isPooled
    ? DatabaseClock.layer.pipe(
      Layer.provideMerge(layerPooled(address, timeouts)),
      Layer.catch(described),
      Layer.provide(Layer.effectDiscard(Effect.scoped(Layer.build(layerMigrated(direct, timeouts)))))
    )
    : layerMigrated(direct, timeouts)

type Timeouts = Pick<AppConfig["Service"], "migrationTimeout" | "requestTimeout" | "tokenTimeout">

const layerMigrated = (address: DatabaseAddress, timeouts: Timeouts) =>
  migrated(
    layerLimited(address, { startupParameters: PostgresClient.serverGuards }, timeouts),
    Effect.provideService(migrate, StatementTimeout, timeouts.migrationTimeout)
  )

// A prepared statement belongs to a session, and a pooler gives each transaction the session that is free; it takes no
// settings of a session either.
const layerPooled = (address: DatabaseAddress, timeouts: Timeouts) =>
  layerLimited(address, { prepare: false }, timeouts)

const layerLimited = (
  address: DatabaseAddress,
  options: PgPool.Config,
  { requestTimeout, tokenTimeout }: Timeouts
) => layerAt(address, { ...options, maxConnections: 10, connectTimeout: tokenTimeout }, requestTimeout)

const layerAt = (address: DatabaseAddress, options: PgPool.Config, requestTimeout?: Duration.Duration) =>
  Layer.unwrap(Effect.map(DatabaseHosts, (hosts) => {
    const sockets = new HeardSockets(hosts.socket)
    const config = {
      ...options,
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
      requestTimeout === undefined ? { config, sockets } : { config, sockets, limits: { requestTimeout, onFailure } }
    )
  })).pipe(Layer.provideMerge(DatabaseHosts.layer(address)))

/** PGlite behind a socket in `folder`, stored there or in memory only; it is loaded only when this layer is built. */
export const layerEmbedded = (folder: string, storage: "folder" | "memory"): Layer.Layer<Clients, DatabaseError> =>
  Layer.unwrap(Effect.gen(function*() {
    const { serve } = yield* Effect.promise(() => import("./Embedded.ts"))
    return layerSocket(yield* serve(folder, storage))
  })).pipe(
    Layer.catch((error) => Layer.effectContext(Effect.fail(new DatabaseError({ message: error.message })))),
    (connection) => migrated(connection),
    uninterruptible
  )

// A client that is interrupted while it connects to PGlite would wait for ever, so a signal waits until the start is
// over.
const uninterruptible = <A, E>(self: Layer.Layer<A, E>): Layer.Layer<A, E> =>
  Layer.effectContext(Effect.uninterruptible(Layer.build(self)))

// Prepared statements have a name in their session, and all connections to PGlite share one session.
const layerSocket = (path: string) =>
  layerAt([{ name: path, socket: { path }, url: Redacted.make("postgres://postgres@localhost/postgres") }], {
    prepare: false,
    maxConnections: 4
  })

const migrated = <E extends SqlError.SqlError | DatabaseError>(
  connection: Layer.Layer<Connection, E>,
  migration = migrate
): Layer.Layer<Clients, DatabaseError> =>
  DatabaseClock.layer.pipe(
    Layer.provideMerge(Layer.effectDiscard(migration)),
    Layer.provideMerge(connection),
    Layer.catch(described)
  )

const described = (error: Failure) =>
  Layer.effectContext(Effect.fail(new DatabaseError({ message: describeError(error) })))

type Failure = { readonly _tag: string; readonly message: string; readonly cause?: unknown }

const describeError = (error: Failure): string => {
  if (error._tag === "DatabaseError") return error.message
  const because = rootCause(error)
  return error._tag === "MigrationError"
    ? `The database cannot be migrated: ${error.message} (${because})`
    : `The database cannot be reached: ${because}`
}

// The driver wraps the message of the system or the server in its own.
const rootCause = (error: { readonly message: string; readonly cause?: unknown }): string => {
  const { cause } = error
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return rootCause(cause.errors[0])
  if (cause instanceof Error || (Predicate.isObject(cause) && "message" in cause)) {
    return rootCause(cause as { readonly message: string })
  }
  return error.message
}
