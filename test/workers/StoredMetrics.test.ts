import { assert, layer } from "@effect/vitest"
import { Clock, DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as StoredMetrics from "../../workers/StoredMetrics.ts"
import { newAccount, newClient } from "../core/clients/Scenario.ts"
import { total } from "../support/Metrics.ts"
import { approvedApp, layer as server } from "../support/TestServer.ts"

layer(server())("A worker", (it) => {
  it.effect("shows live grants, apps by status and the age of the oldest review", () =>
    Effect.gen(function*() {
      const collect = yield* StoredMetrics.collector
      const shown = Effect.andThen(
        collect,
        Effect.all({
          grants: total("slotkey_grants_live"),
          pending: total("slotkey_clients", { status: "pending" }),
          approved: total("slotkey_clients", { status: "approved" }),
          oldest: total("slotkey_review_oldest_seconds")
        })
      )
      assert.deepStrictEqual(yield* shown, { grants: 0, pending: 0, approved: 0, oldest: 0 })
      const { tokens } = yield* approvedApp()
      yield* tokens()
      yield* tokens()
      yield* newClient(yield* newAccount("another owner"))
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* shown, { grants: 2, pending: 1, approved: 1, oldest: 3600 })
    }))

  it.effect("shows how long counts of calls wait, and on how many days some were missed", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const collect = yield* StoredMetrics.collector
      const shown = Effect.andThen(
        collect,
        Effect.all([total("slotkey_usage_oldest_waiting_seconds"), total("slotkey_usage_gaps")])
      )
      assert.deepStrictEqual(yield* shown, [0, 0])
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`INSERT INTO usage_batches (slice, at, counts) VALUES (-1, ${now}, '{}'), (-2, ${now}, '{}')`
      for (const [reason, days] of [["off", 3], ["overflow", 3], ["dropped", 200]] as const) {
        yield* sql`INSERT INTO usage_gaps (day, reason, calls)
          VALUES ((${now}::timestamptz AT TIME ZONE 'UTC')::date - ${days}::int, ${reason}, 1)`
      }
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* shown, [3600, 1])
    }))

  it.effect("estimates the live grants once a minute, however far its clock was set back", () =>
    Effect.gen(function*() {
      const collect = yield* StoredMetrics.collector
      const grants = Effect.andThen(collect, total("slotkey_grants_live"))
      const before = yield* grants
      const { tokens } = yield* approvedApp()
      yield* tokens()
      const now = yield* Clock.currentTimeMillis
      yield* TestClock.setTime(now - 3_600_000)
      assert.strictEqual(yield* grants, before)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* grants, before + 1)
    }))
})
