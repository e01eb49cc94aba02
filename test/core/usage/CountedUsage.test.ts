import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { unknownNeed } from "../../../src/core/usage/Need.ts"
import { UsageCells } from "../../../src/core/usage/UsageCells.ts"
import { UsageReports } from "../../../src/core/usage/UsageReports.ts"
import { ClientId, GrantId } from "../../../src/domain/Ids.ts"
import { DatabaseOutage } from "../../support/DatabaseOutage.ts"
import { clientId } from "../tokens/Fixture.ts"
import { begin, bookings, call, callsOf, cells, grant, merge, server, services, until } from "./Scenario.ts"

layer(services({ USAGE_INTERVAL: "1 hour" }))("Calls", (it) => {
  it.effect("are counted by grant and need, and by client and operation, once the interval is over", () =>
    Effect.gen(function*() {
      yield* begin
      const [one, other] = [yield* grant(), yield* grant()]
      const { note, stop } = yield* server
      note(call(one))
      note(call(one))
      note(call(one, { need: "PROFILE_READ", operation: { method: "GET", path: "/v2/me" } }))
      note(call(other))
      note(call(other, { outcome: "insufficient_scope", need: "APPS_READ" }))
      assert.deepStrictEqual(yield* callsOf(one), {})
      yield* TestClock.adjust("1 hour")
      yield* until(Effect.map(callsOf(one), ({ BOOKING_READ }) => BOOKING_READ === 2))
      for (const step of [Effect.void, merge, merge]) {
        yield* step
        assert.deepStrictEqual(yield* callsOf(one), { BOOKING_READ: 2, PROFILE_READ: 1 })
        assert.deepStrictEqual(yield* callsOf(other), { BOOKING_READ: 1 })
        const { days, isCurrent, operations } = yield* (yield* UsageReports).ofClient(clientId, 1)
        const day = DateTime.formatIsoDateUtc(yield* DateTime.now)
        assert.deepStrictEqual(days.toSorted((a, b) => a.need < b.need ? -1 : 1), [
          { day, need: "APPS_READ", outcome: "insufficient_scope", calls: 1 },
          { day, need: "BOOKING_READ", outcome: "allowed", calls: 3 },
          { day, need: "PROFILE_READ", outcome: "allowed", calls: 1 }
        ])
        assert.deepStrictEqual(operations[0], {
          operation: "GET /v2/bookings",
          outcome: "allowed",
          calls: 3,
          lastDay: day
        })
        assert(isCurrent)
      }
      yield* stop
    }))

  it.effect("are written when the server stops, each once", () =>
    Effect.gen(function*() {
      yield* begin
      const id = yield* grant()
      const { note, stop } = yield* server
      note(call(id))
      yield* TestClock.adjust("1 hour")
      note(call(id))
      yield* stop
      assert.deepStrictEqual(yield* callsOf(id), { BOOKING_READ: 2 })
      yield* merge
      assert.deepStrictEqual(yield* callsOf(id), { BOOKING_READ: 2 })
    }))

  it.effect("of two servers are added up, with the first and the last use", () =>
    Effect.gen(function*() {
      yield* begin
      const id = yield* grant()
      const [one, other] = [yield* server, yield* server]
      one.note(call(id))
      const first = yield* DateTime.now
      yield* TestClock.adjust("8 days")
      other.note(call(id))
      const last = yield* DateTime.now
      yield* Effect.andThen(one.stop, other.stop)
      yield* merge
      const [use] = (yield* (yield* UsageReports).ofGrants([id])).get(id)?.uses ?? []
      const seconds = (at: DateTime.Utc | undefined) => Math.floor((at?.epochMilliseconds ?? 0) / 1000)
      assert.strictEqual(seconds(use?.firstAt), seconds(first))
      assert.strictEqual(seconds(use?.lastAt), seconds(last))
      assert.deepStrictEqual(use?.weeks.map(({ calls }) => calls), [1, 1])
    }))

  it.effect("of a server that is killed are lost from its last writing on, and no others", () =>
    Effect.gen(function*() {
      yield* begin
      const id = yield* grant()
      const [killed, other] = [yield* server, yield* server]
      for (const { note } of [killed, other]) note(call(id))
      yield* TestClock.adjust("1 hour")
      yield* until(Effect.map(callsOf(id), ({ BOOKING_READ }) => BOOKING_READ === 2))
      for (const { note } of [killed, other]) note(call(id))
      yield* other.stop
      yield* merge
      assert.deepStrictEqual(yield* callsOf(id), { BOOKING_READ: 3 })
    }))

  // It refuses what is written while it is read-only.
  it.effect.each(["away", "broken"] as const)(
    "wait while the database is $0, and are written once it is back",
    (kind) =>
      Effect.gen(function*() {
        yield* begin
        const outage = yield* DatabaseOutage
        const id = yield* grant()
        const { note, stop } = yield* server
        yield* outage[kind](Effect.gen(function*() {
          for (let hour = 0; hour < 5; hour++) {
            note(call(id))
            yield* TestClock.adjust("1 hour")
          }
        }))
        note(call(id))
        // What failed is written first, and the rest with it.
        yield* TestClock.adjust("2 hours")
        yield* until(Effect.map(callsOf(id), ({ BOOKING_READ }) => BOOKING_READ === 6))
        yield* stop
        yield* merge
        assert.deepStrictEqual(yield* callsOf(id), { BOOKING_READ: 6 })
      })
  )

  it.effect("beyond the cells are a number, and nothing of that day is called unused", () =>
    Effect.gen(function*() {
      yield* begin
      const reports = yield* UsageReports
      const outage = yield* DatabaseOutage
      const sql = yield* SqlClient.SqlClient
      assert.isNotNull((yield* reports.coverage).completeSince)
      const id = yield* grant()
      const { note, stop } = yield* server
      yield* outage.away(Effect.gen(function*() {
        note(call(id))
        for (let n = 0; n < cells + 10; n++) {
          note(call(GrantId.make(`0195c000-0000-7000-8000-${String(n).padStart(12, "0")}`)))
        }
        // What has a cell is still counted.
        note(call(id))
        yield* TestClock.adjust("1 hour")
      }))
      yield* stop
      const rows = yield* sql<{ readonly reason: string; readonly calls: number }>`
        SELECT reason, calls::float8 FROM usage_gaps WHERE reason = 'overflow'`
      assert.deepStrictEqual(rows, [{ reason: "overflow", calls: 12 }])
      assert.deepStrictEqual(yield* callsOf(id), { BOOKING_READ: 2 })
      assert.isNull((yield* reports.coverage).completeSince)
      yield* merge
      assert.deepStrictEqual(yield* callsOf(id), { BOOKING_READ: 2 })
      yield* sql`DELETE FROM usage_gaps WHERE reason = 'overflow'`
    }))

  it.effect("of grants and clients that are gone or have ended are dropped, and no others", () =>
    Effect.gen(function*() {
      yield* begin
      const sql = yield* SqlClient.SqlClient
      const [id, ended, gone] = [yield* grant(), yield* grant(), yield* grant()]
      const { note, stop } = yield* server
      for (const  of of[id, ended, gone]) note(call(of))
      note(call(id, { clientId: ClientId.make("client_gone") }))
      yield* stop
      yield* sql`UPDATE grants SET revoked_at = now() WHERE id = ${ended}`
      yield* sql`DELETE FROM grants WHERE id = ${gone}`
      yield* merge
      assert.deepStrictEqual(
        yield* Effect.forEach([id, ended, gone], callsOf),
        [{ BOOKING_READ: 2 }, {}, {}]
      )
      yield* sql`DELETE FROM grants WHERE id = ${id}`
      assert.deepStrictEqual(yield* sql`SELECT grant_id FROM grant_uses WHERE grant_id = ${id}`, [])
    }))
})

describe("Sums", () => {
  it("of one app and of one grant are few, whatever its calls need, and none is lost", () => {
    const sums = new UsageCells(0)
    const id = GrantId.make("0195c000-0000-7000-8000-000000000000")
    for (let n = 0; n < 10_000; n++) {
      sums.add(call(id, { need: `A${n}`, operation: undefined }), n, Number.POSITIVE_INFINITY)
    }
    const { grants, needs } = sums.counts()
    for (const counts of [grants, needs]) {
      assert.lengthOf(counts, 201)
      assert.strictEqual(counts.reduce((sum, { calls }) => sum + calls, 0), 10_000)
      assert.strictEqual(counts.find(({ calls }) => calls > 1)?.calls, 9_800)
    }
    assert.deepInclude(grants.find(({ need }) => need === unknownNeed), { first: 200, last: 9_999 })
  })
})

layer(services({ USAGE: "off" }))("Calls, with USAGE=off,", (it) => {
  it.effect("are a number of the day, so that nothing is known of it later", () =>
    Effect.gen(function*() {
      yield* begin
      const sql = yield* SqlClient.SqlClient
      const id = yield* grant()
      const { note, stop } = yield* server
      note(call(id))
      note(call(id, { operation: bookings }))
      yield* stop
      assert.deepStrictEqual(yield* callsOf(id), {})
      assert.deepStrictEqual(
        yield* sql`SELECT calls::int FROM usage_gaps WHERE reason = 'off'`,
        [{ calls: 2 }]
      )
      assert.deepInclude(yield* (yield* UsageReports).coverage, { completeSince: null, isCounting: false })
    }))
})
