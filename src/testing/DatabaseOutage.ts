import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, String } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, SqlError, Statement } from "effect/sql"
import { DatabaseClock } from "../foundation/database/DatabaseClock.ts"

/** A switch that makes the database of a test fail for the services that use it. */
export class DatabaseOutage extends Context.Service<DatabaseOutage, {
  /** Runs the effect while the database cannot be reached. */
  away<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  /** Runs the effect while the database refuses every statement. */
  broken<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
}>()("slotkey/testing/DatabaseOutage") {}

/** Database that is provided beneath, behind the switch. */
export const layer = Layer.effectContext(Effect.gen(function*() {
  const database = yield* SqlClient.SqlClient
  let failure: SqlError.SqlError | undefined

  const acquirer = Effect.suspend(() => failure === undefined ? database.reserve : Effect.fail(failure))
  const sql = yield* SqlClient.make({
    driver: database.driver,
    acquirer,
    compiler: PgClient.makeCompiler(String.camelToSnake, false),
    transformRows: Statement.defaultTransforms(String.snakeToCamel, false).array,
    spanAttributes: []
  })

  const during = (reason: SqlError.SqlErrorReason) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        failure = new SqlError.SqlError({ reason })
      }),
      () => effect,
      () =>
        Effect.sync(() => {
          failure = undefined
        })
    )
  const outage = DatabaseOutage.of({
    away: during(new SqlError.ConnectionError({ cause: new Error("refused"), message: "no connection" })),
    broken: during(new SqlError.UnknownError({ cause: new Error("broken"), message: "no such table" }))
  })
  return Context.make(SqlClient.SqlClient, sql).pipe(
    Context.add(DatabaseClock, yield* DatabaseClock),
    Context.add(DatabaseOutage, outage)
  )
})).pipe(Layer.provide(Reactivity.layer))
