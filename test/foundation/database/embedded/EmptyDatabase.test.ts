// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import * as Database from "../../../../src/foundation/database/Database.ts"
import * as DatabaseSchema from "../../../../src/foundation/database/DatabaseSchema.ts"
import * as EmptyDatabase from "../../../../src/foundation/database/embedded/EmptyDatabase.ts"
import * as IndexBuilder from "../../../../src/foundation/database/IndexBuilder.ts"
import * as JobTables from "../../../../src/foundation/jobs/queue/JobTables.ts"
import * as Catalogue from "../../../support/Catalogue.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

/** A database in memory, as it is in the image. */
const unpacked = Layer.unwrap(Effect.map(
  TestDatabase.temporaryFolder,
  (folder) =>
    Database.layerEmbedded(folder, "memory", "untouched").pipe(
      Layer.provideMerge(AppConfig.layerTest({ DATA_DIR: folder }))
    )
))

const migrate = Effect.all([DatabaseSchema.migrate, IndexBuilder.build("embedded"), JobTables.migrate])

describe("The image of an empty database", () => {
  // The driver limits the time of its connections by the clock.
  it.live("with the migrations since it was made has the schema that all of them make from nothing", () =>
    Effect.gen(function*() {
      yield* migrate
      const found = yield* Catalogue.read
      yield* TestDatabase.empty
      assert.deepStrictEqual(yield* Catalogue.read, [])
      yield* migrate
      assert.deepStrictEqual(found, yield* Catalogue.read)
      assert.isAbove(found.length, 300)
    }).pipe(Effect.provide(unpacked)))

  it.live("is empty", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<
        { name: string }
      >`SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name
        FROM pg_tables WHERE schemaname IN ('public', 'bullmq')`
      const filled: Array<string> = []
      for (const { name } of tables) {
        if ((yield* sql.unsafe(`SELECT FROM ${name} LIMIT 1`)).length > 0) filled.push(name)
      }
      assert.sameMembers(filled, ["public.slotkey_migrations", "bullmq.migration"])
    }).pipe(Effect.provide(unpacked)))

  it.live("is unpacked again where a start ended before all of it was there", () =>
    Effect.gen(function*() {
      const folder = yield* TestDatabase.temporaryFolder
      mkdirSync(join(folder, "db", "global"), { recursive: true })
      writeFileSync(join(folder, "db", "global", "pg_control"), "half of it")
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`SELECT count(*)::int AS n FROM clients`, [{ n: 0 }])
      }).pipe(Effect.provide(Database.layerEmbedded(folder, "folder"), { local: true }))
    }))

  it("ends with the file by which PGlite knows a database", () => {
    const names = namesIn(EmptyDatabase.read() ?? new Uint8Array())
    assert.isAbove(names.length, 300)
    assert.strictEqual(names.at(-1), "./PG_VERSION")
    assert.lengthOf(names.filter((name) => name.endsWith("/PG_VERSION")), 1 + 1)
  })
})

/** Names of the files in a tar archive: a block of 512 bytes with name and size, then the content in such blocks. */
const namesIn = (archive: Uint8Array): ReadonlyArray<string> => {
  const names: Array<string> = []
  const text = (from: number, length: number) =>
    Buffer.from(archive.subarray(from, from + length)).toString("latin1").replace(/\0.*/s, "")
  for (let at = 0; at < archive.length;) {
    const name = text(at, 100)
    if (name === "") break
    names.push(name)
    at += 512 * (1 + Math.ceil(Number.parseInt(text(at + 124, 12), 8) / 512))
  }
  return names
}
