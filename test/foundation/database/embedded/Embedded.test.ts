// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { execFileSync } from "node:child_process"
import { renameSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import pg from "pg"
import * as Database from "../../../../src/foundation/database/Database.ts"
import { socketPath } from "../../../../src/foundation/database/embedded/DataFolder.ts"
import * as Embedded from "../../../../src/foundation/database/embedded/Embedded.ts"
import * as Sockets from "../../../../src/foundation/database/hosts/Sockets.ts"
import { eventually } from "../../../support/Eventually.ts"
import { LogLines } from "../../../support/LogLines.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

/** A client of the database, whose connection may be cut while it waits for an answer. */
const clientOf = (folder: string) => {
  const client = new pg.Client({ host: resolve(dirname(socketPath(folder))), user: "postgres", database: "postgres" })
  client.on("error", () => {})
  return client
}

/** Sends statements on a connection of its own; answers the message of the error. */
const failWith = Effect.fnUntraced(function*(folder: string, statements: string) {
  const client = clientOf(folder)
  return yield* Effect.promise(async () => {
    await client.connect()
    const answer = await client.query(statements).then(() => "none", ({ message }: Error) => message)
    await client.end().catch(() => {})
    return answer
  })
})

describe("an embedded database", () => {
  // The driver limits the time of its connections by the clock.
  it.live("is opened again after a statement that breaks it, and nobody waits for ever", () =>
    Effect.gen(function*() {
      const folder = yield* TestDatabase.temporaryFolder
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE kept (n integer)`
        yield* sql`INSERT INTO kept VALUES (1)`
        // PGlite cannot copy from a client: its program ends.
        const [broken, ...beside] = yield* Effect.all([
          failWith(folder, "COPY kept FROM STDIN"),
          ...Array.from({ length: 8 }, () => Effect.exit(sql`SELECT n FROM kept`))
        ], { concurrency: "unbounded" })
        assert.notStrictEqual(broken, "none")
        assert.lengthOf(beside, 8)
        const rows = Effect.orElseSucceed(sql<{ n: number }>`SELECT n FROM kept`, () => [])
        yield* eventually(Effect.map(rows, ([row]) => row?.n === 1))
        yield* sql`INSERT INTO kept VALUES (2)`
        assert.lengthOf(yield* sql`SELECT n FROM kept`, 2)
      }).pipe(Effect.provide(Database.layerEmbedded(folder, "folder"), { local: true }))
    }))

  // The driver limits the time of its connections by the clock.
  it.live("is opened again once its files can be read, and says why it is not", () =>
    Effect.gen(function*() {
      const folder = yield* TestDatabase.temporaryFolder
      const [files, elsewhere] = [join(folder, "db/global"), join(folder, "global")]
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE kept (n integer)`
        renameSync(files, elsewhere)
        yield* failWith(folder, "COPY kept FROM STDIN")
        const { all } = yield* LogLines
        yield* eventually(Effect.sync(() => /cannot be opened/.test(JSON.stringify(all))))
        renameSync(elsewhere, files)
        yield* eventually(Effect.isSuccess(sql`SELECT n FROM kept`))
      }).pipe(Effect.provide(Database.layerEmbedded(folder, "folder"), { local: true }))
    }).pipe(Effect.provide(LogLines.layer)))

  it.effect("has no connection kept open by a request to cancel a statement, which it cannot do", () =>
    Effect.gen(function*() {
      const folder = yield* TestDatabase.temporaryFolder
      const { path } = yield* Embedded.serve(folder, "memory")
      yield* Effect.callback<void>((resume) => {
        const socket = Sockets.make(() => ({ path, isEmbedded: true }))()
        socket.on("close", () => resume(Effect.void))
        const request = Buffer.alloc(16)
        for (const [at, value] of [16, 80877102, 1, 2].entries()) request.writeInt32BE(value, 4 * at)
        socket.write(request)
      })
    }))

  it.effect("keeps no image, and says so, when it does not answer for thirty seconds", () =>
    Effect.gen(function*() {
      const folder = yield* TestDatabase.temporaryFolder
      const { keepImage } = yield* Embedded.serve(folder, "memory")
      // A notice leaves at once, and then the thread of the database rests.
      yield* Effect.callback<void>((resume) => {
        const client = clientOf(folder)
        client.on("notice", () => resume(Effect.void))
        const busy = "DO $$ BEGIN RAISE NOTICE 'busy'; PERFORM pg_sleep(600); END $$"
        client.connect().then(() => client.query(busy)).catch(() => {})
      })
      const keeping = yield* Effect.forkChild(keepImage, { startImmediately: true })
      yield* TestClock.adjust("29 seconds")
      assert.isUndefined(keeping.pollUnsafe())
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(keeping)
      const said = JSON.stringify((yield* LogLines).all)
      assert.match(said, /No image of the empty database is kept.*The database does not answer/)
    }).pipe(Effect.provide(LogLines.layer)))

  it.effect("opens in a program that Node gets as text", () =>
    Effect.gen(function*() {
      const folder = yield* TestDatabase.temporaryFolder
      const program = `
        import { Effect, Layer } from "effect"
        import { layerEmbedded } from "./src/foundation/database/Database.ts"
        await Effect.runPromise(Effect.scoped(Layer.build(layerEmbedded(${JSON.stringify(folder)}, "memory"))))
        console.log("open")`
      const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" })
      assert.strictEqual(printed, "open\n")
    }))
})
