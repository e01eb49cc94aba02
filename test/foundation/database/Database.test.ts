// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { chmodSync, statSync } from "node:fs"
import { join } from "node:path"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as Database from "../../../src/foundation/database/Database.ts"
import * as Embedded from "../../../src/foundation/database/embedded/Embedded.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

const count = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM slotkey_migrations`
  return row?.n
})

layer(TestDatabase.layer)("Database", (it) => {
  it.effect("is migrated and keeps each statement apart from the others", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      assert.isAbove((yield* count) ?? 0, 0)
      const echoes = yield* Effect.forEach(
        Array.from({ length: 200 }, (_, i) => i),
        (i) => Effect.map(sql<{ n: number }>`SELECT ${i}::int AS n`, (rows) => rows[0]?.n),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(echoes, Array.from({ length: 200 }, (_, i) => i))
    }))

  it.effect("keeps a transaction apart from statements beside it", () =>
    TestDatabase.as(
      "owner",
      Effect.fnUntraced(function*(sql) {
        yield* sql`CREATE TABLE probe (n integer)`
        yield* Effect.all([
          Effect.ignore(sql.withTransaction(Effect.gen(function*() {
            yield* sql`INSERT INTO probe VALUES (1)`
            return yield* Effect.fail("rolled back")
          }))),
          ...Array.from({ length: 10 }, () => sql`INSERT INTO probe VALUES (2)`)
        ], { concurrency: "unbounded" })
        const rows = yield* sql<{ n: number }>`SELECT n FROM probe`
        assert.deepStrictEqual(rows.map(({ n }) => n), Array.from({ length: 10 }, () => 2))
      })
    ))
})

describe("starting", () => {
  it.effect("keeps what an embedded database held, and refuses a second server in its folder", () =>
    Effect.gen(function*() {
      const folder = yield* TestDatabase.temporaryFolder
      const start = Database.layerEmbedded(folder, "folder")
      const write = Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE kept (n integer)`
        const second = yield* Effect.flip(Effect.scoped(Layer.build(Database.layerEmbedded(folder, "folder"))))
        assert.include(second.message, "belongs to a server that is running")
      })
      chmodSync(folder, 0o755)
      yield* write.pipe(Effect.provide(start, { local: true }))
      // The folder existed before and is readable by other users; its content is not.
      assert.strictEqual(statSync(join(folder, "db")).mode & 0o077, 0)
      const read = Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        return yield* sql`SELECT n FROM kept`
      })
      assert.deepStrictEqual(yield* read.pipe(Effect.provide(start, { local: true })), [])
    }))

  it.effect("lets a command join the embedded database of a running server", () =>
    Effect.gen(function*() {
      const folder = yield* TestDatabase.temporaryFolder
      yield* Effect.gen(function*() {
        const n = yield* count.pipe(Effect.provide(
          Database.layerBeside.pipe(Layer.provide(AppConfig.layerTest({ DATA_DIR: folder })))
        ))
        assert.isAbove(n ?? 0, 0)
      }).pipe(Effect.provide(Database.layerEmbedded(folder, "memory"), { local: true }))
    }))

  it.effect("says in one line without a password that a server cannot be reached", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(
        Effect.scoped(Layer.build(TestDatabase.at("postgres://someone:hunter2@127.0.0.1:1/none")))
      )
      assert.match(error.message, /^The database cannot be reached: [^\n]+$/)
      assert.notInclude(error.message, "hunter2")
    }))

  it.live("migrates once when two nodes start at the same time", () =>
    Effect.gen(function*() {
      const url = yield* TestDatabase.temporaryServerUrl
      const folder = yield* TestDatabase.temporaryFolder
      const migrated = url !== undefined
        ? Effect.succeed(TestDatabase.at(Redacted.value(url)))
        : Effect.map(Embedded.serve(folder, "memory"), () =>
          Database.layerBeside.pipe(Layer.provide(AppConfig.layerTest({ DATA_DIR: folder }))))
      const node = yield* migrated
      const both = yield* Effect.all([
        Effect.provide(count, Layer.fresh(node)),
        Effect.provide(count, Layer.fresh(node))
      ], { concurrency: 2 })
      assert.strictEqual(both[0], both[1])
    }))
})
