import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
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
