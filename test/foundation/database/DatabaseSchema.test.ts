// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import pg from "pg"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as Database from "../../../src/foundation/database/Database.ts"
import * as DatabaseSchema from "../../../src/foundation/database/DatabaseSchema.ts"
import * as IndexBuilder from "../../../src/foundation/database/IndexBuilder.ts"
import { migrations } from "../../../src/foundation/database/migrations/index.ts"
import { eventually } from "../../support/Eventually.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import * as TestPostgres from "../../support/TestPostgres.ts"

/** Brings an empty database to the schema of the release before. */
const migrateToReleaseBefore = Migrator.make({})({
  table: "slotkey_migrations",
  loader: Migrator.fromRecord(
    Object.fromEntries(Object.entries(migrations).filter(([name]) => Number.parseInt(name, 10) <= 5))
  )
})

const indexIsValid = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly valid: boolean }>`
    SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('audit_log_at')`
  return rows.map(({ valid }) => valid)
})

layer(TestDatabase.layer, { excludeTestServices: true })("The schema of a database", (it) => {
  it.effect("that newer code has migrated is used while it carries this code, and then refused", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { newest } = yield* DatabaseSchema.status
      const future = (compatibleFrom: number) =>
        sql.withTransaction(Effect.gen(function*() {
          yield* sql`INSERT INTO slotkey_migrations (migration_id, name, compatible_from)
            VALUES (${newest + 2}, 'of_the_future', ${compatibleFrom})`
          const result = yield* Effect.all([Effect.exit(DatabaseSchema.migrate), Effect.exit(DatabaseSchema.check)])
          yield* sql`DELETE FROM slotkey_migrations WHERE migration_id = ${newest + 2}`
          return result
        }))
      for (const exit of yield* future(newest)) assert.isTrue(exit._tag === "Success")
      for (const exit of yield* future(newest + 1)) {
        assert.include(
          String(exit),
          `This version of Slotkey is too old for the database: it knows version ${newest} of`
        )
      }
    }))

  it.effect("gets an index anew whose building was interrupted, and one that is missing", () =>
    TestDatabase.as(
      "superuser",
      Effect.fnUntraced(function*(sql) {
        assert.deepStrictEqual(yield* indexIsValid, [true])
        for (
          const damage of [
            sql`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'audit_log_at'::regclass`,
            sql`DROP INDEX audit_log_at`
          ]
        ) {
          yield* damage
          assert.strictEqual((yield* IndexBuilder.open).length, 1)
          yield* IndexBuilder.build(TestDatabase.isServer ? "server" : "embedded")
          assert.deepStrictEqual([yield* indexIsValid, yield* IndexBuilder.open], [[true], []])
        }
      })
    ))
})

// A server of the release before shares the database with this code (docs/operations/upgrade.md).
layer(TestDatabase.layerEmpty, { excludeTestServices: true })("The migrations since the release before", (it) => {
  /** Columns with their types; `optional` are those that a statement need not name when it inserts a row. */
  const columns = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return yield* sql<{ readonly table: string; readonly column: string; readonly optional: boolean }>`
      SELECT table_name AS table, column_name || ' ' || data_type AS column,
        is_nullable = 'YES' OR column_default IS NOT NULL OR is_identity = 'YES' AS optional
      FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`
  })
  /** What no code of that release names, in a statement or a row that it writes; what it reads besides it ignores. */
  const unused = ["clients.reviewed_by text"]
  it.effect("only add what its code need not know, and take away what it does not", () =>
    Effect.gen(function*() {
      yield* migrateToReleaseBefore
      const old = yield* columns
      const { message } = yield* Effect.flip(DatabaseSchema.check)
      assert.match(message, /^The schema of the database is behind \(version 5 of \d+\): run slotkey migrate up$/)
      yield* DatabaseSchema.migrate
      yield* DatabaseSchema.check
      assert.strictEqual((yield* DatabaseSchema.status).compatibleFrom, 5)
      const now = yield* columns
      const is = (row: (typeof old)[number]) => (other: (typeof old)[number]) =>
        other.table === row.table && other.column === row.column
      assert.isAbove(old.length, 100)
      const gone = old.filter((row) => !now.some(is(row))).map(({ column, table }) => `${table}.${column}`)
      assert.deepStrictEqual(gone, unused, "taken away, or changed")
      const demanded = now.filter((row) =>
        !row.optional && !old.some((other) => is(row)(other) && !other.optional) &&
        old.some(({ table }) => table === row.table)
      )
      assert.deepStrictEqual(demanded, [], "demanded from code that does not know it")
    }))
})

describe.skipIf(TestPostgres.missing !== undefined)("A migration on PostgreSQL", () => {
  const database = (url: string) => Layer.fresh(TestDatabase.at(url))

  it.live("waits for a lock without holding up others, and goes on when it is free", () =>
    Effect.gen(function*() {
      const { url } = yield* TestPostgres.make
      const empty = Database.layerForMigration.pipe(Layer.provide(AppConfig.layerTest({ DATABASE_URL: url })))
      yield* Effect.provide(migrateToReleaseBefore, Layer.fresh(empty))
      const blocker = new pg.Client(url)
      const other = new pg.Client(url)
      yield* Effect.promise(() => Promise.all([blocker.connect(), other.connect()]))
      yield* Effect.promise(() => blocker.query("BEGIN; SELECT FROM grants"))
      const logged: Array<unknown> = []
      const starting = yield* Effect.forkChild(
        Effect.scoped(Layer.build(database(url))).pipe(
          Effect.provide(Logger.layer([Logger.make(({ message }) => logged.push(message))]))
        )
      )
      yield* eventually(Effect.sync(() => String(logged).includes("0006_grace_until_used waits for a table")))
      // It has let go of its place in the queue, behind which this statement would wait for the blocker as well.
      yield* Effect.promise(() => other.query("SELECT FROM grants"))
      yield* Effect.promise(() => blocker.query("COMMIT"))
      yield* Fiber.join(starting)
      yield* Effect.promise(() => other.query("SELECT used_generation FROM grants"))
      yield* Effect.promise(() => Promise.all([blocker.end(), other.end()]))
    }), 120_000)

  it.live("builds its indexes while the table is written to", () =>
    Effect.gen(function*() {
      const { url } = yield* TestPostgres.make
      yield* Effect.scoped(Layer.build(database(url)))
      const writer = new pg.Client(url)
      yield* Effect.promise(() => writer.connect())
      yield* Effect.promise(() => writer.query("DROP INDEX audit_log_at"))
      // Plain `CREATE INDEX` would wait for this transaction with a lock that stops all other writers.
      yield* Effect.promise(() =>
        writer.query("BEGIN; INSERT INTO audit_log (at, actor, action) VALUES (now(), 'a', 'b')")
      )
      const starting = yield* Effect.forkChild(Effect.scoped(Layer.build(database(url))))
      const second = new pg.Client(url)
      yield* Effect.promise(() => second.connect())
      const waits = Effect.promise(() =>
        second.query("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX%' AND wait_event_type = 'Lock'")
      )
      yield* eventually(Effect.map(waits, ({ rowCount }) => rowCount === 1))
      yield* Effect.promise(() => second.query("INSERT INTO audit_log (at, actor, action) VALUES (now(), 'c', 'd')"))
      yield* Effect.promise(() => writer.query("COMMIT"))
      yield* Fiber.join(starting)
      const { rows } = yield* Effect.promise(() =>
        second.query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'audit_log_at'::regclass")
      )
      assert.deepStrictEqual(rows, [{ indisvalid: true }])
      yield* Effect.promise(() => Promise.all([writer.end(), second.end()]))
    }), 120_000)
})
