import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Predicate, Redacted, Schema, String } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import { AppConfig } from "../config/AppConfig.ts"
import { DatabaseClock } from "./DatabaseClock.ts"
import { answers, socketPath } from "./DataFolder.ts"
import { migrate } from "./migrations/index.ts"
import * as Sockets from "./Sockets.ts"

/** The database cannot be used; the message is one line for the operator and contains no password. */
export class DatabaseError extends Schema.TaggedError<DatabaseError>()("DatabaseError", {
  message: Schema.String
}) {}

type Connection = PgClient.PgClient | SqlClient.SqlClient

type Clients = Connection | DatabaseClock

/**
 * The database of a server process: that of `DATABASE_URL`, else the embedded one in `DATA_DIR`. This room gives every
 * process its connection and the database's clock, migrates the schema first, and holds what all repositories share:
 * mailboxes, sweeps, column types.
 */
export const layer: Layer.Layer<Clients, DatabaseError, AppConfig> = Layer.unwrap(Effect.gen(function*() {
  const { dataDir, database } = yield* AppConfig
  return database._tag === "Server" ? layerServer(database.url) : layerEmbedded(dataDir, "folder")
}))

/** The same for a process beside the server: joins an embedded database that is running instead of opening it again. */
export const layerBeside: Layer.Layer<Clients, DatabaseError, AppConfig> = Layer.unwrap(Effect.gen(function*() {
  const { dataDir, database } = yield* AppConfig
  if (database._tag === "Server") return layerServer(database.url)
  const path = socketPath(dataDir)
  return (yield* answers(path)) ? migrated(layerSocket(path)) : layerEmbedded(dataDir, "folder")
}))

export const layerServer = (url: Redacted.Redacted): Layer.Layer<Clients, DatabaseError> =>
  migrated(PgClient.layer({
    ...names,
    url,
    stream: Sockets.make(() => Sockets.addressOf(url)),
    maxConnections: 10,
    applicationName: "slotkey"
  }))

/** PGlite behind a socket in `folder`, stored there or in memory only; it is loaded only when this layer is built. */
export const layerEmbedded = (folder: string, storage: "folder" | "memory"): Layer.Layer<Clients, DatabaseError> =>
  Layer.unwrap(Effect.gen(function*() {
    const { serve } = yield* Effect.promise(() => import("./Embedded.ts"))
    return layerSocket(yield* serve(folder, storage))
  })).pipe(
    Layer.catch((error) => Layer.effectContext(Effect.fail(new DatabaseError({ message: error.message })))),
    migrated,
    uninterruptible
  )

// A client that is interrupted while it connects to PGlite would wait for ever, so a signal waits until the start is
// over.
const uninterruptible = <A, E>(self: Layer.Layer<A, E>): Layer.Layer<A, E> =>
  Layer.effectContext(Effect.uninterruptible(Layer.build(self)))

// Prepared statements have a name in their session, and all connections to PGlite share one session.
const layerSocket = (path: string) =>
  PgClient.layer({ ...names, path, username: "postgres", database: "postgres", prepare: false, maxConnections: 4 })

const names = {
  transformQueryNames: String.camelToSnake,
  transformResultNames: String.snakeToCamel,
  transformJson: false
}

const migrated = <E extends SqlError.SqlError | DatabaseError>(
  connection: Layer.Layer<Connection, E>
): Layer.Layer<Clients, DatabaseError> =>
  DatabaseClock.layer.pipe(
    Layer.provideMerge(Layer.effectDiscard(migrate)),
    Layer.provideMerge(connection),
    Layer.catch((error) => Layer.effectContext(Effect.fail(new DatabaseError({ message: describeError(error) }))))
  )

const describeError = (
  error: { readonly _tag: string; readonly message: string; readonly cause?: unknown }
): string => {
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
