// @effect-diagnostics strictEffectProvide:off
import { assert, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { join } from "node:path"
import { vi } from "vitest"
import { sweeps } from "../../../src/core/audit/AuditSweep.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { eventually } from "../../support/Eventually.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

const day = (ago: number, hour: number) =>
  DateTime.toDateUtc(DateTime.add(DateTime.startOf(DateTime.nowUnsafe(), "day"), { days: -ago, hours: hour }))

const add = Effect.fnUntraced(function*(at: Date, count: number, action = "client.approved") {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO audit_log (at, actor, action, details)
    SELECT ${at}::timestamptz, 'u', ${action}, jsonb_build_object('n', n) FROM generate_series(1, ${count}::int) n`
})

/** Sweep of a worker, ready for its batches. */
const prepared = Effect.fnUntraced(function*(folder?: string) {
  const [sweep = assert.fail("there is no sweep")] = sweeps
  const settings = { AUDIT_LIFETIME: "30 days", ...(folder === undefined ? {} : { AUDIT_EXPORT_DIR: folder }) }
  return yield* Effect.provide(sweep.prepare, AppConfig.layerTest(settings))
})

/** Deletes what the sweep finds, to its end. */
const sweep = Effect.fnUntraced(function*(folder?: string) {
  const batch = yield* prepared(folder)
  let deleted = 0
  for (let more = true; more;) {
    const done = yield* batch
    more = done.more
    deleted += done.deleted
  }
  return deleted
})

const left = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ action: string }>`SELECT action FROM audit_log ORDER BY id`
  return rows.map(({ action }) => action)
})

/** Files in the folder by name, and the ids of their entries. */
const exported = (folder: string) =>
  readdirSync(folder).toSorted().map((name) => [name, idsIn(join(folder, name))] as const)

const idsIn = (file: string): ReadonlyArray<number> =>
  readFileSync(file, "utf8").trimEnd().split("\n").map((line) => Number(JSON.parse(line).id))

/** Prototype of open files, to spy on. */
const fileHandles = Effect.promise(async (): Promise<FileHandle> => {
  await using handle = await open(import.meta.filename)
  return Object.getPrototypeOf(handle)
})

const run = <A, E>(test: (folder: string) => Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.scoped(Effect.gen(function*() {
    const folder = join(yield* TestDatabase.temporaryFolder, "audit")
    return yield* test(folder)
  })).pipe(Effect.provide(Layer.fresh(TestDatabase.layer)))

it.live(
  "The audit log keeps the days of its lifetime, and what later decisions look at",
  () =>
    run(() =>
      Effect.gen(function*() {
        yield* add(day(32, 1), 2_500)
        yield* add(day(32, 2), 1, "client.deleted")
        yield* add(day(32, 3), 1, "client.suspended")
        yield* add(day(32, 4), 1, "client.resumed")
        yield* add(day(31, 0), 1)
        yield* add(day(30, 1), 1, "grant.revoked")
        assert.strictEqual(yield* sweep(), 2_501)
        assert.deepStrictEqual(yield* left, ["client.deleted", "client.suspended", "client.resumed", "grant.revoked"])
      })
    ),
  60_000
)

it.live(
  "AUDIT_EXPORT_DIR receives each entry once, before it is deleted",
  () =>
    run((folder) =>
      Effect.gen(function*() {
        yield* add(day(33, 1), 1_200)
        yield* add(day(32, 1), 2, "secret.generated")
        assert.strictEqual(yield* sweep(folder), 1_202)
        const files = exported(folder)
        assert.deepStrictEqual(files.map(([, ids]) => ids.length), [999, 201, 2])
        assert.deepStrictEqual(files.flatMap(([, ids]) => ids), Array.from({ length: 1_202 }, (_, i) => i + 1))
        const [, , [last] = []] = files
        const date = day(32, 1).toISOString()
        assert.strictEqual(last, `audit-${date.slice(0, 10)}-0000000000000001201.jsonl`)
        assert.deepStrictEqual(JSON.parse(readFileSync(join(folder, last ?? ""), "utf8").split("\n")[0] ?? ""), {
          id: "1201",
          at: date,
          actor: "u",
          action: "secret.generated",
          clientId: null,
          userId: null,
          grantId: null,
          details: { n: 1 }
        })
      })
    ),
  60_000
)

it.live(
  "An export that a crash cut off before the rows were gone is made again, into the same files",
  () =>
    run((folder) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* add(day(32, 1), 1_500)
        const crash = sql.withTransaction(Effect.andThen(sweep(folder), Effect.fail("crashed" as const)))
        assert.strictEqual(yield* Effect.flip(crash), "crashed")
        assert.strictEqual((yield* left).length, 1_500)
        const before = exported(folder)
        // A process that died while it wrote leaves a draft, and days that have ended since make more entries due.
        const draft = openSync(join(folder, `.${before[0]?.[0]}`), "w")
        writeSync(draft, "{\"id\":")
        closeSync(draft)
        yield* add(day(31, 1), 10)
        assert.strictEqual(yield* sweep(folder), 1_510)
        const after = exported(folder)
        assert.deepStrictEqual(after.slice(0, 2), before)
        assert.deepStrictEqual(after.flatMap(([, ids]) => ids), Array.from({ length: 1_510 }, (_, i) => i + 1))
      })
    ),
  60_000
)

it.live("What cannot be exported is not deleted", () =>
  run((folder) =>
    Effect.gen(function*() {
      yield* add(day(32, 1), 3)
      writeFileSync(folder, "not a folder")
      const error = yield* Effect.flip(sweep(folder))
      assert.strictEqual(error._tag, "SweepError")
      assert.include(error.message, folder)
      assert.strictEqual((yield* left).length, 3)
    })
  ), 60_000)

it.live(
  "What a folder does not take in six seconds is not deleted, and no other file is begun while that one hangs",
  () =>
    run((folder) =>
      Effect.gen(function*() {
        yield* add(day(32, 1), 3)
        const [begun, mayEnd] = [yield* Deferred.make<void>(), Promise.withResolvers<void>()]
        const sync = vi.spyOn(yield* fileHandles, "sync")
        yield* Effect.addFinalizer(() => Effect.sync(() => sync.mockRestore()))
        sync.mockImplementationOnce(() => {
          Deferred.doneUnsafe(begun, Effect.void)
          return mayEnd.promise
        })
        const batch = yield* prepared(folder)
        yield* Effect.gen(function*() {
          yield* TestClock.setTime(DateTime.nowUnsafe().epochMilliseconds)
          const sweeping = yield* Effect.forkChild(Effect.flip(batch))
          yield* Deferred.await(begun)
          yield* TestClock.adjust("6 seconds")
          for (const error of [yield* Fiber.join(sweeping), yield* Effect.flip(batch)]) {
            assert.strictEqual(error._tag, "SweepError")
            assert.include(error.message, folder)
          }
        }).pipe(Effect.provide(TestClock.layer()))
        assert.strictEqual(sync.mock.calls.length, 1)
        assert.strictEqual((yield* left).length, 3)
        mayEnd.resolve()
        yield* eventually(Effect.orElseSucceed(Effect.map(batch, ({ deleted }) => deleted === 3), () => false))
      }).pipe(Effect.scoped)
    ),
  60_000
)

it.live(
  "An exported file and its name are on the disk before the rows are gone",
  () =>
    run((folder) =>
      Effect.gen(function*() {
        yield* add(day(32, 1), 3)
        const sync = vi.spyOn(yield* fileHandles, "sync")
        yield* Effect.addFinalizer(() => Effect.sync(() => sync.mockRestore()))
        sync.mockRejectedValueOnce(new Error("the disk failed"))
        yield* Effect.flip(sweep(folder))
        assert.strictEqual((yield* left).length, 3)
        sync.mockReset()
        assert.strictEqual(yield* sweep(folder), 3)
        assert.strictEqual(sync.mock.calls.length, 2)
      }).pipe(Effect.scoped)
    ),
  60_000
)
