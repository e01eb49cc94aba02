import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import { type Cause, Clock, Duration, Effect, Layer, Stream, String } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, SqlError, Statement } from "effect/sql"
import type { SqlConnection } from "effect/sql"
import { MachineClock } from "./DatabaseClock.ts"
import type { HeardSockets } from "./hosts/HeardSockets.ts"
import * as WaitingCommits from "./hosts/WaitingCommits.ts"
import { measured } from "./PoolMetrics.ts"
import * as StalePlans from "./StalePlans.ts"
import { type Limited, limiter, statementShare } from "./StatementTimeout.ts"

interface Options {
  readonly config: PgPool.Config
  readonly sockets: HeardSockets
  /** Limits of statements; the embedded database needs none, because no network lies between. */
  readonly limits?: {
    /** Time that a page or a request of the management API may take. */
    readonly requestTimeout: Duration.Duration
    /** Learns why a statement failed. */
    readonly onFailure: (cause: Cause.Cause<unknown>) => void
    readonly commits: WaitingCommits.WaitingCommits
  }
}

/**
 * Client of a database, on the pool of the driver. Each of its statements has a limit of time (`StatementTimeout`),
 * which the driver's own client lacks: a connection that falls silent would hold it forever.
 */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))

/** Isolation level that all statements are written for, whatever a database or a role has for a default. */
export const isolation = "read committed"

/**
 * Settings of each session, by which the server lets go of what a node has left behind: one that vanished in a
 * transaction, or gave up a statement, holds row locks until then. A request that waits for such a row, as when a
 * person repeats a form, is served within 10 s.
 */
export const serverGuards = {
  default_transaction_isolation: isolation,
  idle_in_transaction_session_timeout: "8s",
  client_connection_check_interval: "5s",
  tcp_user_timeout: "20s",
  tcp_keepalives_idle: "10s",
  tcp_keepalives_interval: "5s",
  tcp_keepalives_count: "3"
}

const make = Effect.fnUntraced(function*({ config, limits, sockets }: Options) {
  const limited = limits === undefined
    ? unlimited
    : yield* limiter(sockets, statementShare(limits.requestTimeout), limits.onFailure, limits.commits.suspect)
  const commits = limits?.commits
  const pool = yield* measured(yield* inRealTime(PgPool.make(config)), sockets)
  const client = yield* SqlClient.make({
    driver: "pg",
    acquirer: Effect.map(limited(inRealTime(pool.get)), (session) => new Session(session, limited, commits)),
    borrower: (f) => limited(inRealTime(pool.use((session) => f(new Session(session, unlimited, commits))))),
    transactionAcquirer: Effect.withFiber((fiber) => {
      const prepares = !fiber.getRef(StalePlans.Unprepared)
      return Effect.map(
        limited(inRealTime(pool.reserve)),
        (session) => new Session(session, limited, commits, prepares)
      )
    }),
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    // Columns are named in snake case in the database and in camel case here; JSON is left as it is.
    compiler: PgClient.makeCompiler(String.camelToSnake, false),
    transformRows: Statement.defaultTransforms(String.snakeToCamel, false).array,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  return Object.assign(client, { withTransaction: StalePlans.rerunning(client) })
})

/**
 * Counts what the pool waits for by the clock of the machine. To connect takes real time: a test that sets Effect's
 * clock forward meanwhile would end the attempt at once, and the server would take its database to be away.
 */
const inRealTime = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const machine = fiber.getRef(MachineClock)
    return fiber.getRef(Clock.Clock) === machine ? self : Effect.provideService(self, Clock.Clock, machine)
  })

// The loan as a whole has a limit.
const unlimited: Limited = (statement) => statement

type Transform = Parameters<SqlConnection.Connection["execute"]>[2]

/** A connection as the statements of Effect use it. */
class Session implements SqlConnection.Connection {
  readonly #session: PgConnection.PgConnection
  readonly #limited: Limited
  readonly #commits: WaitingCommits.WaitingCommits | undefined
  readonly #prepares: boolean

  constructor(
    session: PgConnection.PgConnection,
    limited: Limited,
    commits: WaitingCommits.WaitingCommits | undefined,
    prepares = true
  ) {
    this.#session = session
    this.#limited = limited
    this.#commits = commits
    this.#prepares = prepares
  }

  execute(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return this.#rows(sql, params, transform, this.#prepares)
  }

  executeUnprepared(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return this.#rows(sql, params, transform, false)
  }

  executeRaw(sql: string, params: ReadonlyArray<unknown>) {
    return this.#begun(sql, this.#session.query(sql, params, this.#prepares))
  }

  executeValues(sql: string, params: ReadonlyArray<unknown>) {
    return this.#begun(sql, this.#session.queryValues(sql, params, this.#prepares))
  }

  executeValuesUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return this.#begun(sql, this.#session.queryValues(sql, params, false))
  }

  // Nothing here reads more than fits: rows that were sent on as they come would have no limit of time.
  executeStream(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return Stream.fromArrayEffect(this.execute(sql, params, transform))
  }

  #rows(sql: string, params: ReadonlyArray<unknown>, transform: Transform, prepare: boolean) {
    return Effect.map(
      this.#begun(sql, this.#session.query(sql, params, prepare)),
      ({ rows }) => transform === undefined ? rows : transform(rows)
    )
  }

  #begun<A>(sql: string, statement: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> {
    const waits = this.#commits?.areWaiting() === true && WaitingCommits.writes(sql)
    return waits ? this.#commits?.refusal ?? statement : this.#limited(statement)
  }
}

/** PostgreSQL answers `COMMIT` with `ROLLBACK` when the transaction had failed. */
const commit = (connection: SqlConnection.Connection) =>
  Effect.flatMap(
    connection.executeRaw("COMMIT", []),
    (result) => isRollback(result) ? Effect.fail(rolledBack) : Effect.void
  )

const isRollback = (result: unknown): boolean =>
  typeof result === "object" && result !== null && "command" in result && result.command === "ROLLBACK"

const rolledBack = new SqlError.SqlError({
  reason: new SqlError.UnknownError({
    cause: new Error("COMMIT rolled back a failed transaction"),
    operation: "commit"
  })
})
