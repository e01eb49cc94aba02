// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Cause, Duration, Effect, Layer, References } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseChecks } from "../../../src/foundation/database/DatabaseChecks.ts"
import { DatabaseClock } from "../../../src/foundation/database/DatabaseClock.ts"
import * as Outages from "../../../src/foundation/database/Outages.ts"
import * as OutageLog from "../../../src/foundation/log/OutageLog.ts"
import { Readiness } from "../../../src/foundation/operator/Readiness.ts"
import * as DatabaseOutage from "../../support/DatabaseOutage.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { layerWrong } from "../../support/WrongClock.ts"

/** Report of a process that starts now. */
const report = Effect.flatMap(Readiness, ({ report }) => report).pipe(
  Effect.provide(Layer.fresh(DatabaseChecks.pipe(Layer.provideMerge(Readiness.layer))))
)

layer(DatabaseOutage.layer)("The check of the database", (it) => {
  it.effect("says that it can be read, or why not", () =>
    Effect.gen(function*() {
      const { away, broken } = yield* DatabaseOutage.DatabaseOutage
      const { checks } = yield* report
      assert.deepStrictEqual(checks.database, { status: "ok", detail: "The database can be read and written." })
      const gone = yield* away(report)
      assert.strictEqual(gone.status, "failed")
      assert.strictEqual(gone.checks.database?.status, "failed")
      assert.include(gone.checks.database?.detail ?? "", "The database cannot be reached.")
      const { database } = (yield* broken(report)).checks
      assert.strictEqual(database?.status, "failed")
    }))
})

const Quiet = Layer.succeed(References.MinimumLogLevel, "None")

layer(Layer.merge(TestDatabase.layer, Quiet), { excludeTestServices: true })("On the clock of the machine", (it) => {
  it.effect("the check of a database that accepts no writes is degraded", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { checks, status } = yield* sql.withTransaction(Effect.andThen(sql`SET TRANSACTION READ ONLY`, report))
      assert.strictEqual(status, "degraded")
      assert.match(checks.database?.detail ?? "", /accepts no writes.* Promote the standby/)
    }))

  it.effect("the check of a database whose disk is full is degraded while writes fail", () =>
    Effect.gen(function*() {
      yield* Outages.logFailure("A write failed", Cause.fail({ code: "53100", message: "could not extend file" }))
      const { checks, status } = yield* report
      assert.strictEqual(status, "degraded")
      assert.match(checks.database?.detail ?? "", /^The disk of the database is full\..* Make room on it\.$/)
    }).pipe(Effect.provide(Layer.fresh(OutageLog.layer))))

  for (
    const { detail, offset, status } of [
      { offset: 0, status: "ok", detail: "agrees" },
      { offset: 4, status: "ok", detail: "agrees" },
      { offset: 3_600, status: "degraded", detail: "3600 s ahead of" },
      { offset: -7, status: "degraded", detail: "7 s behind" }
    ]
  ) {
    it.effect(`the check of a clock that is ${offset} seconds off the database's is ${status}`, () =>
      Effect.gen(function*() {
        const clock = DatabaseClock.layer.pipe(Layer.provideMerge(layerWrong(() => Duration.seconds(offset))))
        const { checks } = yield* Effect.provide(report, Layer.fresh(clock))
        assert.strictEqual(checks.clock?.status, status)
        assert.include(checks.clock?.detail ?? "", detail)
      }))
  }
})
