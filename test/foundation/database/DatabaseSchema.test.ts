// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger, Record } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as Database from "../../../src/foundation/database/Database.ts"
import * as DatabaseSchema from "../../../src/foundation/database/DatabaseSchema.ts"
import * as IndexBuilder from "../../../src/foundation/database/IndexBuilder.ts"
import { commitBefore, contracts, migrations } from "../../../src/foundation/database/migrations/index.ts"
import * as SchemaSteps from "../../../src/foundation/database/SchemaSteps.ts"
import { eventually } from "../../support/Eventually.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import * as TestPostgres from "../../support/TestPostgres.ts"

/** The schema of a release to come, by steps that are made up: each a statement. */
const followedBy = (steps: Readonly<Record<string, string>>, carried: SchemaSteps.Steps["contracts"] = {}) =>
  SchemaSteps.make({
    commitBefore,
    contracts: { ...contracts, ...carried },
    migrations: {
      ...migrations,
      ...Record.map(steps, (statement) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)))
    }
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
layer(TestDatabase.layerEmpty, { excludeTestServices: true })("A step since the release before", (it) => {
  it.effect("is done once, and says which code it still carries", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const added = followedBy({ "9001_added": "ALTER TABLE clients ADD COLUMN added integer" })
      const taken = followedBy({
        "9001_added": "ALTER TABLE clients ADD COLUMN added integer",
        "9002_taken_away": "ALTER TABLE clients DROP COLUMN added"
      }, { 9002: 9001 })
      yield* DatabaseSchema.migrate
      const { message } = yield* Effect.flip(added.check)
      assert.match(message, /^The schema of the database is behind \(version \d+ of 9001\): run slotkey migrate up$/)
      assert.deepStrictEqual((yield* added.status).pending, ["9001_added"])
      yield* Effect.all([added.migrate, added.check, added.migrate])
      // The release before goes on.
      yield* Effect.all([DatabaseSchema.migrate, DatabaseSchema.check])
      yield* Effect.all([taken.migrate, taken.check])
      assert.deepInclude(yield* taken.status, { version: 9002, compatibleFrom: 9001, pending: [] })
      yield* added.check
      assert.match(
        (yield* Effect.flip(DatabaseSchema.check)).message,
        /^This version of Slotkey is too old for the database: .* and version 9002 needs code that knows 9001\./
      )
      assert.isEmpty(
        yield* sql`SELECT 1 FROM information_schema.columns WHERE table_name = 'clients' AND column_name = 'added'`
      )
    }))
})

layer(TestDatabase.layerEmpty, { excludeTestServices: true })("The steps since the release before", (it) => {
  /** Columns with their types; `optional` are those that a statement need not name when it inserts a row. */
  const columns = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return yield* sql<{ readonly table: string; readonly column: string; readonly optional: boolean }>`
      SELECT table_name AS table, column_name || ' ' || data_type AS column,
        is_nullable = 'YES' OR column_default IS NOT NULL OR is_identity = 'YES' AS optional
      FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`
  })

  type Columns = Effect.Success<typeof columns>

  /** What code that knows the old columns alone misses, and what it is asked for. */
  const misfits = (old: Columns, now: Columns) => {
    const is = (row: Columns[number]) => (other: Columns[number]) =>
      other.table === row.table && other.column === row.column
    const name = ({ column, table }: Columns[number]) => `${table}.${column}`
    return {
      gone: old.filter((row) => !now.some(is(row))).map(name),
      demanded: now.filter((row) =>
        !row.optional && !old.some((other) => is(row)(other) && !other.optional) &&
        old.some(({ table }) => table === row.table)
      ).map(name)
    }
  }

  it.effect("only add what its code need not know", () =>
    Effect.gen(function*() {
      const first = Object.fromEntries(Object.entries(migrations).slice(0, 1))
      yield* SchemaSteps.make({ migrations: first, contracts, commitBefore }).migrate
      const old = yield* columns
      assert.isAbove(old.length, 100)
      yield* DatabaseSchema.migrate
      const now = yield* columns
      assert.deepStrictEqual(misfits(old, now), { gone: [], demanded: [] })
      yield* followedBy({
        "9001_changed": "ALTER TABLE accounts ALTER bio TYPE bytea USING NULL, ADD made_up integer NOT NULL, ADD x text"
      }).migrate
      assert.deepStrictEqual(misfits(now, yield* columns), {
        gone: ["accounts.bio text"],
        demanded: ["accounts.made_up integer"]
      })
    }))
})

describe.skipIf(TestPostgres.missing !== undefined)("A migration on PostgreSQL", () => {
  const database = (url: string) => Layer.fresh(TestDatabase.at(url))

  it.live("waits for a lock without holding up others, and goes on when it is free", () =>
    Effect.gen(function*() {
      const { url } = yield* TestPostgres.make
      yield* Effect.scoped(Layer.build(database(url)))
      const next = followedBy({ "9001_made_up": "ALTER TABLE grants ADD COLUMN made_up integer" })
      const untouched = Database.layerForMigration.pipe(Layer.provide(AppConfig.layerTest({ DATABASE_URL: url })))
      const blocker = new pg.Client(url)
      const other = new pg.Client(url)
      yield* Effect.promise(() => Promise.all([blocker.connect(), other.connect()]))
      yield* Effect.promise(() => blocker.query("BEGIN; SELECT FROM grants"))
      const logged: Array<unknown> = []
      const starting = yield* Effect.forkChild(
        Effect.provide(next.migrate, [
          Layer.fresh(untouched),
          Logger.layer([Logger.make(({ message }) => logged.push(message))])
        ])
      )
      yield* eventually(Effect.sync(() => String(logged).includes("9001_made_up waits for a table")))
      // It has let go of its place in the queue, behind which this statement would wait for the blocker as well.
      yield* Effect.promise(() => other.query("SELECT FROM grants"))
      yield* Effect.promise(() => blocker.query("COMMIT"))
      yield* Fiber.join(starting)
      yield* Effect.promise(() => other.query("SELECT made_up FROM grants"))
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
