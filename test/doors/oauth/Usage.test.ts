import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { Deletion } from "../../../src/core/accounts/local/Deletion.ts"
import { operator } from "../../../src/core/audit/Operator.ts"
import { sweeps as grantSweeps } from "../../../src/core/grants/GrantSweeps.ts"
import { RefreshTokens } from "../../../src/core/tokens/RefreshTokens.ts"
import { ResourceServers } from "../../../src/core/tokens/ResourceServers.ts"
import { UsageReports } from "../../../src/core/usage/UsageReports.ts"
import type { OperationCalls } from "../../../src/core/usage/Use.ts"
import { type GrantId, UserId } from "../../../src/domain/Ids.ts"
import { mostReports } from "../../../src/doors/oauth/ReportBudget.ts"
import { merge, run } from "../../core/usage/Scenario.ts"
import * as TestServer from "../../support/TestServer.ts"

/** A resource server, and a grant of an app with its calls. */
const world = Effect.gen(function*() {
  const app = yield* TestServer.approvedApp()
  const { refresh_token } = yield* app.tokens()
  const grantId = (yield* RefreshTokens).read(String(refresh_token))?.grantId ?? assert.fail("no refresh token of ours")
  const { credential, server } = yield* (yield* ResourceServers).create("Bookings")
  const send = (body: unknown, authorization = `Bearer ${Redacted.value(credential)}`) =>
    app.ask("/v2/auth/oauth2/usage", {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body)
    })
  /** Sends as another resource server, which is made for it. */
  const sendAs = (resource: string | null) =>
    Effect.map(
      Effect.flatMap(ResourceServers, (servers) => servers.create("CRM", resource)),
      ({ credential }) => (body: unknown) => send(body, `Bearer ${Redacted.value(credential)}`)
    )
  return { ...app, grantId, server, send, sendAs, report: report(grantId) }
})

const report = (grant: GrantId) => ({
  batch: randomUUID(),
  calls: [{
    grant,
    need: "BOOKING_READ",
    operation: "GET /v2/bookings",
    outcome: "allowed",
    calls: 3,
    first: 60,
    last: 5
  }]
})

const callsOf = Effect.fnUntraced(function*(id: GrantId) {
  const use = (yield* (yield* UsageReports).ofGrants([id])).get(id)
  return Object.fromEntries((use?.uses ?? []).map(({ calls, need }) => [need, calls]))
})

const told = (operations: ReadonlyArray<OperationCalls>) =>
  operations.map(({ calls, operation, outcome }) => `${operation} ${outcome} ${calls}`)

layer(Layer.provideMerge(Deletion.layer, TestServer.layer()))("A report of calls", (it) => {
  it.effect("counts once, however often it is sent", () =>
    Effect.gen(function*() {
      const { client, grantId, report, send } = yield* world
      const answers = yield* Effect.all([send(report), send(report), send(report)], { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.map(({ status }) => status), [204, 204, 204])
      assert.deepStrictEqual(yield* callsOf(grantId), { BOOKING_READ: 3 })
      const { operations } = yield* (yield* UsageReports).ofClient(client.id, 2)
      assert.deepStrictEqual(told(operations), ["GET /v2/bookings allowed 3"])
      // Another of the same calls is another report.
      yield* send({ ...report, batch: randomUUID() })
      assert.deepStrictEqual(yield* callsOf(grantId), { BOOKING_READ: 6 })
    }))

  it.effect("that is late, or out of order, keeps the first and the last use", () =>
    Effect.gen(function*() {
      const { grantId, report: { calls: [call] }, send } = yield* world
      yield* send({ batch: randomUUID(), calls: [{ ...call, calls: 1, first: 10, last: 10 }] })
      yield* send({ batch: randomUUID(), calls: [{ ...call, calls: 1, first: 7_000, last: 3_600 }] })
      const [use] = (yield* (yield* UsageReports).ofGrants([grantId])).get(grantId)?.uses ?? []
      const apart = ((use?.lastAt.epochMilliseconds ?? 0) - (use?.firstAt.epochMilliseconds ?? 0)) / 1000
      assert.isTrue(Math.abs(apart - 6_990) <= 2, `${apart}`)
    }))

  it.effect("leaves out grants that are unknown or have ended, and goes by the client of the grant", () =>
    Effect.gen(function*() {
      const { grantId, report, send } = yield* world
      const other = yield* world
      const [call] = report.calls
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE grants SET revoked_at = now() WHERE id = ${other.grantId}`
      const calls = [grantId, other.grantId, randomUUID()].map((grant) => ({ ...call, grant }))
      assert.strictEqual((yield* send({ ...report, calls })).status, 204)
      assert.deepStrictEqual(yield* callsOf(grantId), { BOOKING_READ: 3 })
      assert.deepStrictEqual(yield* callsOf(other.grantId), {})
      assert.deepStrictEqual((yield* (yield* UsageReports).ofClient(other.client.id, 2)).days, [])
    }))

  it.effect("with needs and operations that nobody knows fills no table with them", () =>
    Effect.gen(function*() {
      const { client, grantId, report: { calls: [call] }, send } = yield* world
      const calls = Array.from({ length: 100 }, (_, n) => ({ ...call, need: `X${n}`, operation: `GET /x/${n}` }))
      yield* send({ batch: randomUUID(), calls })
      assert.deepStrictEqual(yield* callsOf(grantId), { "": 300 })
      const { operations } = yield* (yield* UsageReports).ofClient(client.id, 2)
      assert.deepStrictEqual(told(operations), ["* other allowed 300"])
    }))

  it.effect("that is not one is refused whole, and changes nothing", () =>
    Effect.gen(function*() {
      const { grantId, report, send } = yield* world
      const [call] = report.calls
      const wrong = (changes: object) => ({ ...report, calls: [call, { ...call, ...changes }] })
      const bodies: ReadonlyArray<unknown> = [
        "",
        "{",
        "[]",
        {},
        { ...report, batch: "one" },
        wrong({ calls: 2 ** 53 }),
        wrong({ calls: -1 }),
        wrong({ calls: 0 }),
        wrong({ calls: 1.5 }),
        wrong({ calls: "3" }),
        wrong({ grant: "x" }),
        wrong({ outcome: "perhaps" }),
        wrong({ first: -3_600 }),
        wrong({ last: 7_201 }),
        wrong({ need: "A".repeat(1_001) }),
        { ...report, missed: { calls: 1, first: 10 ** 9 } },
        { ...report, calls: Array.from({ length: 5_001 }, () => call) }
      ]
      for (const body of bodies) TestServer.assertRefused(yield* send(body), 400, "invalid_request")
      assert.strictEqual((yield* send("1".repeat(10_000_000))).status, 413)
      assert.deepStrictEqual(yield* callsOf(grantId), {})
      yield* send(report)
      assert.deepStrictEqual(yield* callsOf(grantId), { BOOKING_READ: 3 })
    }))

  it.effect("is refused to all but a resource server that is not revoked", () =>
    Effect.gen(function*() {
      const { credentials, grantId, report, send, server, tokens } = yield* world
      const { access_token: accessToken } = yield* tokens()
      const basic = TestServer.basic(credentials.client_id, credentials.client_secret ?? "").authorization
      for (const authorization of ["", "Bearer", `Bearer ${accessToken}`, basic]) {
        TestServer.assertRefused(yield* send(report, authorization), 401, "invalid_token")
      }
      yield* (yield* ResourceServers).revoke(server.id)
      TestServer.assertRefused(yield* send(report), 401, "invalid_token")
      assert.deepStrictEqual(yield* callsOf(grantId), {})
    }))

  it.effect("of the server of one resource leaves out the grants of others, and of the API", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { grantId, report, sendAs } = yield* world
      const crm = "https://crm.example.com"
      const send = yield* sendAs(crm)
      for (const resource of [null, "https://files.example.com", `${crm}/`]) {
        yield* sql`UPDATE grants SET resource = ${resource} WHERE id = ${grantId}`
        assert.strictEqual((yield* send({ ...report, batch: randomUUID() })).status, 204)
      }
      assert.deepStrictEqual(yield* callsOf(grantId), {})
      yield* sql`UPDATE grants SET resource = ${crm} WHERE id = ${grantId}`
      yield* send({ ...report, batch: randomUUID() })
      assert.deepStrictEqual(yield* callsOf(grantId), { BOOKING_READ: 3 })
    }))

  it.effect("counts beside another resource server's of the same id", () =>
    Effect.gen(function*() {
      const { grantId, report, send, sendAs } = yield* world
      yield* send(report)
      yield* (yield* sendAs(null))(report)
      assert.deepStrictEqual(yield* callsOf(grantId), { BOOKING_READ: 6 })
    }))

  it.effect("whatever combinations of scopes it has, adds no more needs than are told apart", () =>
    Effect.gen(function*() {
      const { client, grantId, report: { calls: [call] }, send } = yield* world
      const neighbour = yield* world
      yield* neighbour.send(neighbour.report)
      const reports = Array.from({ length: 3 }, (_, part) =>
        Array.from({ length: 1_000 }, (_, n) => ({
          ...call,
          calls: 1,
          need: (part * 1_000 + n).toString(2).replaceAll("0", "BOOKING_READ+").replaceAll("1", "APPS_READ+").slice(
            0,
            -1
          )
        })))
      for (const calls of reports) {
        assert.strictEqual((yield* send({ batch: randomUUID(), calls })).status, 204)
        yield* merge
      }
      const { days } = yield* (yield* UsageReports).ofClient(client.id, 2)
      for (const counts of [yield* callsOf(grantId), Object.fromEntries(days.map((day) => [day.need, day.calls]))]) {
        assert.isAtMost(Object.keys(counts).length, 201)
        assert.strictEqual(Object.values(counts).reduce((sum, calls) => sum + calls), 3_000)
      }
      assert.deepStrictEqual(yield* callsOf(neighbour.grantId), { BOOKING_READ: 3 })
    }))

  it.effect("of what nobody knows leaves nothing to be called unused", () =>
    Effect.gen(function*() {
      yield* TestClock.adjust("30 days")
      const { client, report: { calls: [call] }, send } = yield* world
      const reports = yield* UsageReports
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM usage_gaps`
      const unused = reports.unusedScopes(client.id, ["BOOKING_READ"], DateTime.makeUnsafe(0))
      assert.deepStrictEqual((yield* unused)?.scopes, ["BOOKING_READ"])
      yield* send({ batch: randomUUID(), calls: [{ ...call, need: "BOOKING_READ_2" }] })
      assert.isNull(yield* unused)
    }))

  it.effect("comes again later when its server has sent too many, and others' are taken", () =>
    Effect.gen(function*() {
      const { grantId, report, send, sendAs } = yield* world
      const other = yield* sendAs(null)
      const many = Array.from({ length: mostReports }, () => send({ batch: randomUUID(), calls: [] }))
      assert((yield* Effect.all(many, { concurrency: 20 })).every(({ status }) => status === 204))
      const { headers, status } = yield* send(report)
      assert.deepStrictEqual([status, headers.get("retry-after")], [429, "60"])
      assert.strictEqual((yield* other({ ...report, batch: randomUUID() })).status, 204)
      assert.deepStrictEqual(yield* callsOf(grantId), { BOOKING_READ: 3 })
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* send(report)).status, 204)
      assert.deepStrictEqual(yield* callsOf(grantId), { BOOKING_READ: 6 })
    }))

  it.effect("is forgotten with the account whose grant it is about, and no other", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [{ grantId, report, send }, neighbour] = [yield* world, yield* world]
      yield* neighbour.send(neighbour.report)
      yield* send(report)
      yield* merge
      yield* send({ ...report, batch: randomUUID() })
      const [grant] = yield* sql<{ readonly userId: string }>`SELECT user_id FROM grants WHERE id = ${grantId}`
      yield* (yield* Deletion).run(UserId.make(grant?.userId ?? ""), operator, true)
      assert.strictEqual((yield* send({ ...report, batch: randomUUID() })).status, 204)
      yield* run([...grantSweeps])
      yield* merge
      assert.deepStrictEqual(yield* sql`SELECT grant_id FROM grant_uses WHERE grant_id = ${grantId}`, [])
      assert.deepStrictEqual(yield* sql`SELECT id FROM usage_batches`, [])
      assert.deepStrictEqual(yield* callsOf(neighbour.grantId), { BOOKING_READ: 3 })
    }))

  it.effect("of calls that were missed ends what is known of their days", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { send } = yield* world
      yield* send({ batch: randomUUID(), missed: { calls: 7, first: 100_000 }, calls: [] })
      const rows = yield* sql<{ readonly calls: number }>`
        SELECT calls::int FROM usage_gaps WHERE reason = 'dropped' ORDER BY day`
      assert.isTrue(rows.length === 2 || rows.length === 3)
      assert.strictEqual(rows[0]?.calls, 7)
      assert.isNull((yield* (yield* UsageReports).coverage).completeSince)
      yield* sql`DELETE FROM usage_gaps`
    }))
})
