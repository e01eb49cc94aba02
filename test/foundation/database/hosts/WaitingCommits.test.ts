// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Duration, Effect, Exit, Layer, References } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import * as Database from "../../../../src/foundation/database/Database.ts"
import { databaseChecks } from "../../../../src/foundation/database/DatabaseChecks.ts"
import { LastWait } from "../../../../src/foundation/database/hosts/WaitingCommits.ts"
import { outageOf } from "../../../../src/foundation/database/Outages.ts"
import { StatementTimeout } from "../../../../src/foundation/database/StatementTimeout.ts"
import { examine } from "../../../../src/foundation/operator/Readiness.ts"
import { eventually } from "../../../support/Eventually.ts"
import * as TestPostgres from "../../../support/TestPostgres.ts"

/** A primary whose commits wait for its standby, and a process that uses it. */
const scene = Effect.gen(function*() {
  const primary = yield* TestPostgres.make
  const process = yield* Layer.build(
    Layer.provide(Database.layer, AppConfig.layerTest({ DATABASE_URL: primary.url }))
  )
  const sql = Context.get(process, SqlClient.SqlClient)
  yield* sql`CREATE TABLE planted (n integer)`
  const standby = yield* TestPostgres.standbyOf(primary)
  const checks = yield* Effect.provideContext(databaseChecks, process)
  const check = Effect.map(Effect.forEach(checks, examine), ([database]) => database)
  return { check, primary, sql, standby }
})

const Quiet = Effect.provideService(References.MinimumLogLevel, "None")

describe.skipIf(TestPostgres.missing !== undefined)("While a synchronous standby is away", () => {
  it.live("a process that writes nothing sees that commits wait, and the end of it", () =>
    Effect.gen(function*() {
      const { check, primary, standby } = yield* scene
      assert.strictEqual((yield* check)?.status, "ok")
      yield* standby.kill
      yield* eventually(Effect.map(check, (found) => found?.status === "degraded"))
      const found = yield* check
      assert.match(found?.detail ?? "", /^Commits of the database do not come back/)
      assert.match(found?.remedy ?? "", /SyncRep.*standby/)
      // However often it is asked.
      for (let times = 0; times < 20; times++) assert.strictEqual((yield* check)?.status, "degraded")
      assert.isAtMost(yield* TestPostgres.waitingCommits(primary), 2)
      yield* standby.startStandby("read-only")
      yield* eventually(Effect.map(check, (found) => found?.status === "ok"))
    }).pipe(Effect.scoped, Quiet), 120_000)

  it.live("writes are refused soon and leave no more sessions, and reads go on", () =>
    Effect.gen(function*() {
      const { primary, sql, standby } = yield* scene
      const write = (n: number) =>
        Effect.provideService(sql`INSERT INTO planted (n) VALUES (${n})`, StatementTimeout, Duration.seconds(2))
      const began = yield* Clock.currentTimeMillis
      yield* standby.kill
      const numbers = Array.from({ length: 40 }, (_, n) => n)
      const exits = yield* Effect.forEach(numbers, (n) => Effect.exit(write(n)), { concurrency: "unbounded" })
      assert.isTrue(exits.every(Exit.isFailure))
      const refused = yield* Effect.flip(write(40))
      assert.strictEqual(outageOf(refused)?.name, "database commits wait")
      const left = yield* TestPostgres.waitingCommits(primary)
      for (const n of numbers) yield* Effect.flip(write(n))
      yield* Effect.flip(sql.withTransaction(write(41)))
      assert.strictEqual(yield* TestPostgres.waitingCommits(primary), left)
      assert.isBelow(left, 40)
      assert.lengthOf(yield* sql`SELECT 1`, 1)

      yield* standby.startStandby("read-only")
      yield* eventually(Effect.isSuccess(write(42)))
      // The commits that waited have come.
      assert.lengthOf(yield* sql`SELECT 1 FROM planted WHERE n < 40`, left)
      const { from, until } = yield* LastWait
      assert.isAtLeast(from, began)
      assert.isAbove(until, from + 2_000)
    }).pipe(Effect.scoped, Quiet), 120_000)
})
