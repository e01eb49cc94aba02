import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as TestDatabase from "../../support/TestDatabase.ts"

/** As many as a process has connections, so that none is left out. */
const everyConnection = Array.from({ length: 10 }, (_, n) => n)

const at = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.forEach(everyConnection, () => effect, { concurrency: "unbounded" })

describe.skipIf(!TestDatabase.isServer)("A prepared statement whose columns a migration has changed", () => {
  layer(TestDatabase.layer, { excludeTestServices: true })((it) => {
    it.effect("has its transaction run again, whichever connection it is on", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* TestDatabase.as("owner", (sql) =>
          sql`CREATE TABLE planted (id integer PRIMARY KEY, times integer NOT NULL)`)
        yield* sql`INSERT INTO planted VALUES (1, 0)`
        const read = sql`SELECT * FROM planted`
        const count = sql`UPDATE planted SET times = times + 1 RETURNING *`
        const work = Effect.andThen(read, count).pipe(Effect.delay("20 millis"), sql.withTransaction)
        yield* at(work)
        yield* TestDatabase.as("owner", (sql) =>
          sql`ALTER TABLE planted ADD COLUMN more text DEFAULT 'more'`)
        yield* at(work)
        // Each was done once.
        assert.deepStrictEqual(yield* read, [{ id: 1, times: 20, more: "more" }])
      }))

    it.effect("fails its transaction where the statement itself cannot be run", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        let attempts = 0
        const work = Effect.andThen(Effect.sync(() => attempts++), sql`SELECT 1 FOR UPDATE OF nothing`)
        const { reason } = yield* Effect.flip(sql.withTransaction(work))
        assert.propertyVal(reason.cause, "code", "42P01")
        assert.strictEqual(attempts, 1)
        // Not supported (0A000), on a fresh plan neither.
        const unsupported = Effect.andThen(Effect.sync(() => attempts++), sql`SELECT count(*) FROM clients FOR UPDATE`)
        const again = yield* Effect.flip(sql.withTransaction(unsupported))
        assert.propertyVal(again.reason.cause, "code", "0A000")
        assert.strictEqual(attempts, 3)
      }))

    it.effect("has the outermost transaction run again, and what hid the failure as a defect as well", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* TestDatabase.as("owner", (sql) => sql`CREATE TABLE nested (id integer PRIMARY KEY)`)
        const inner = Effect.orDie(sql.withTransaction(sql`SELECT * FROM nested`))
        const insert = sql`INSERT INTO nested (id) SELECT count(*) FROM nested`
        const work = Effect.andThen(insert, inner).pipe(sql.withTransaction)
        yield* work
        yield* TestDatabase.as("owner", (sql) => sql`ALTER TABLE nested ADD COLUMN more text`)
        const rows = yield* work
        assert.deepStrictEqual(rows, [{ id: 0, more: null }, { id: 1, more: null }])
      }))
  })
})
