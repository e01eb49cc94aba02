import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { UsageReports } from "../../../src/core/usage/UsageReports.ts"
import type { UnusedPage } from "../../../src/core/usage/Use.ts"
import { ClientId } from "../../../src/domain/Ids.ts"
import { userId } from "../tokens/Fixture.ts"
import { begin, call, grant, merge, server, services } from "./Scenario.ts"

const scopes = ["BOOKING_READ", "ORG_BOOKING_READ", "ORG_MEMBERSHIP_WRITE", "TEAM_BOOKING_READ"]

/** An app of these scopes, in use since the clock's time, unless the columns say another thing. */
const app = Effect.fnUntraced(function*(name: string, columns: Readonly<Record<string, unknown>> = {}) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const id = ClientId.make(`client_${name}`)
  yield* sql`INSERT INTO clients ${
    sql.insert({
      id,
      ownerId: userId,
      kind: "confidential",
      status: "approved",
      name,
      purpose: "Testing",
      website: "https://app.test",
      redirectUris: ["https://app.test/callback"],
      scopes,
      submittedAt: now,
      createdAt: now,
      reviewedAt: now,
      updatedAt: now,
      ...columns
    })
  }`
  return id
})

/** Calls of this day were missed. */
const missed = Effect.fnUntraced(function*(day: DateTime.Utc) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO usage_gaps (day, reason, calls)
    VALUES (${DateTime.formatIsoDateUtc(day)}::text::date, 'overflow', 1)`
})

const unusedOf = Effect.fnUntraced(function*(page: number) {
  return yield* (yield* UsageReports).appsWithUnused(page)
})

const names = (page: UnusedPage | null) =>
  page === null ? null : Object.fromEntries(page.apps.map(({ clientId, unused }) => [clientId.slice(7), unused]))

const weeks = (n: number) => TestClock.adjust(`${n} weeks`)

layer(services())("Apps with scopes that reach everyone and that nobody used", (it) => {
  it.effect("are those approved and in use for four weeks, with what waits to be added up", () =>
    Effect.gen(function*() {
      yield* begin
      const sql = yield* SqlClient.SqlClient
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const used = yield* app("used")
      const partly = yield* app("partly")
      const narrower = yield* app("narrower", { scopes: ["ORG_BOOKING_READ"] })
      yield* app("idle")
      yield* app("own", { scopes: ["BOOKING_READ"] })
      yield* app("suspended", { status: "suspended" })
      yield* app("test", { testOf: used })
      yield* app("legacy", { legacy: true })
      const asked = yield* app("asked")
      yield* missed(DateTime.subtract(yield* DateTime.now, { days: 1 }))
      assert.isNull(yield* unusedOf(1))
      yield* weeks(3)
      const late = DateTime.toDateUtc(yield* DateTime.now)
      yield* app("late", { createdAt: now, reviewedAt: late })
      yield* app("saved", { createdAt: now, reviewedAt: null, migratedAt: late })
      yield* app("follows", { origin: "document", createdAt: now, reviewedAt: now, updatedAt: late })
      const { note, stop } = yield* server
      for (const need of ["ORG_BOOKING_READ", "ORG_MEMBERSHIP_WRITE"]) {
        note(call(yield* grant(used), { clientId: used, need }))
      }
      // What a wider scope includes may have been used by it, whether or not the narrower one is held.
      for (const clientId of [partly, narrower]) {
        note(call(yield* grant(clientId), { clientId, need: "TEAM_BOOKING_READ" }))
      }
      note(
        call(yield* grant(partly), { clientId: partly, need: "ORG_MEMBERSHIP_WRITE", outcome: "insufficient_scope" })
      )
      // What the call was nobody knows, so nothing of the app is called unused.
      note(call(yield* grant(asked), { clientId: asked, need: "", operation: undefined, outcome: "introspected" }))
      assert.isNull(yield* unusedOf(1))
      yield* weeks(1)
      yield* stop
      const expected = {
        idle: ["ORG_MEMBERSHIP_WRITE", "ORG_BOOKING_READ"],
        partly: ["ORG_MEMBERSHIP_WRITE"]
      }
      assert.deepStrictEqual(names(yield* unusedOf(1)), expected)
      yield* merge
      const page = yield* unusedOf(1)
      assert.deepStrictEqual(names(page), expected)
      assert.deepInclude(page, { total: 2, page: 1, pages: 1, isCurrent: true })
      // The sum of what each app is asked for by itself.
      const reports = yield* UsageReports
      for (const { clientId, since, unused } of page?.apps ?? []) {
        const one = yield* reports.unusedScopes(clientId, scopes, since)
        assert.includeMembers([...one?.scopes ?? []], [...unused])
      }
      yield* missed(yield* DateTime.now)
      assert.isNull(yield* unusedOf(1))
      yield* sql`DELETE FROM usage_gaps WHERE reason = 'overflow'`
    }))

  it.effect("are pages of 25, and a page after the last is the last", () =>
    Effect.gen(function*() {
      yield* begin
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM clients WHERE name <> 'App'`
      for (let n = 0; n < 27; n++) yield* app(`page${n}`, n === 26 ? { scopes: ["ORG_BOOKING_READ"] } : {})
      yield* weeks(5)
      const [first, last] = [yield* unusedOf(1), yield* unusedOf(9)]
      assert.strictEqual(first?.apps.length, 25)
      assert.deepInclude(last, { total: 27, page: 2, pages: 2 })
      // Those that may do the most come first.
      assert.deepStrictEqual(last?.apps.map(({ unused }) => unused.length), [2, 1])
    }))
})

layer(services({ USAGE: "partial" }))("With USAGE=partial", (it) => {
  it.effect("no app is called one that uses nothing", () =>
    Effect.gen(function*() {
      yield* begin
      yield* app("idle")
      yield* weeks(20)
      assert.isNull(yield* unusedOf(1))
    }))
})
