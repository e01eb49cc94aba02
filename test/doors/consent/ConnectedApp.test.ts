import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { Connections } from "../../../src/core/consent/Connections.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import type { UserId } from "../../../src/domain/Ids.ts"
import { connectionsPath, disconnectPath, shortenPath } from "../../../src/doors/consent/ConnectionsAddress.ts"
import { connectionPath } from "../../../src/doors/parts/Paths.ts"
import { browser, grant, newAccount, requestingApp, Services } from "./Scenario.ts"

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

/** An app that its user allowed on a browser with Firefox, and then in another place. */
const scene = Effect.gen(function*() {
  const { client, user } = yield* requestingApp({ scopes: ["PROFILE_READ", "BOOKING_WRITE"] })
  const sql = yield* SqlClient.SqlClient
  yield* grant(user, client.id, ["PROFILE_READ"])
  yield* sql`UPDATE grants SET browser = ${firefox}, place = '192.0.2.7' WHERE user_id = ${user}`
  yield* TestClock.adjust("1 hour")
  yield* grant(user, client.id, ["PROFILE_READ", "BOOKING_WRITE"])
  const grants = yield* Grants
  const [second, first] = yield* grants.listLive(user)
  return { client, user, grants, sql, first: first!, second: second!, tab: yield* browser(user) }
})

const trailOf = Effect.fnUntraced(function*(userId: UserId) {
  const entries = (yield* (yield* AuditLog).list({ userId })).filter(({ clientId }) => clientId !== null)
  return entries.map(({ action, details, grantId }) => ({ action, details, grantId }))
})

const day = 86_400_000

layer(Services)("The page of a connected app", (it) => {
  it.effect("says who made it, what it may do and on which devices, to its user only", () =>
    Effect.gen(function*() {
      const { client, tab } = yield* scene
      const { body } = yield* tab.get(connectionPath(client.id))
      for (
        const text of [
          "Firefox 140 on Linux at <bdi>192.0.2.7</bdi>",
          "Developer",
          "Reviewed",
          "Manage your bookings",
          `/auth/oauth2/report?client_id=${client.id}`
        ]
      ) {
        assert.include(body, text)
      }
      assert.strictEqual([...body.matchAll(/<th scope="row" class="device">/g)].length, 2)
      const other = yield* browser(yield* newAccount("mallory"))
      assert.strictEqual((yield* other.get(connectionPath(client.id))).status, 404)
      assert.strictEqual((yield* tab.get(connectionPath("nothing"))).status, 404)
    }))

  it.effect("ends the access of one device alone", () =>
    Effect.gen(function*() {
      const { client, first, grants, second, tab, user } = yield* scene
      const ofDevice = { client_id: client.id, grant: first.id }
      const asked = yield* tab.get(`${disconnectPath}?${new URLSearchParams(ofDevice)}`)
      assert.include(asked.body, "Firefox 140 on Linux")
      assert.include(asked.body, "On other devices it keeps it.")
      const { location } = yield* tab.post(disconnectPath, { csrf: tab.csrf, ...ofDevice })
      assert.strictEqual(location, connectionPath(client.id))
      assert.include((yield* tab.get(location!)).body, `The access of ${client.name} on that device has ended.`)
      assert.deepStrictEqual((yield* grants.listLive(user)).map(({ id }) => id), [second.id])
      assert.strictEqual((yield* grants.statusOf(first.id)).status, "ended")
      assert.strictEqual((yield* grants.statusOf(second.id)).status, "usable")
      assert.deepStrictEqual((yield* trailOf(user))[0], { action: "grant.revoked", details: {}, grantId: first.id })

      // Once more it changes nothing, nor does what is no id, or the id of another user's grant.
      const mallory = yield* newAccount("mallory")
      yield* grant(mallory, client.id, ["PROFILE_READ"])
      const [stolen] = yield* grants.listLive(mallory)
      for (const id of [first.id, "x", stolen!.id]) {
        yield* tab.post(disconnectPath, { csrf: tab.csrf, client_id: client.id, grant: id })
      }
      assert.lengthOf(yield* grants.listLive(mallory), 1)
      assert.lengthOf(yield* trailOf(user), 1)
      const last = yield* tab.post(disconnectPath, { csrf: tab.csrf, client_id: client.id, grant: second.id })
      assert.strictEqual(last.location, connectionsPath)
      assert.include((yield* tab.get(connectionsPath)).body, "No app has access to your account.")
    }))

  it.effect("lets access end sooner, and never later", () =>
    Effect.gen(function*() {
      const { client, grants, second, tab, user } = yield* scene
      const post = (end: string) => tab.post(shortenPath(client.id), { csrf: tab.csrf, end })
      const ends = Effect.map(
        grants.listLive(user),
        (live) => live.map(({ expiresAt }) => DateTime.toEpochMillis(expiresAt))
      )
      const page = yield* tab.get(connectionPath(client.id))
      assert.include(page.body, "In 30 days")
      const now = DateTime.toEpochMillis(yield* DateTime.now)
      assert.strictEqual((yield* post("month")).location, connectionPath(client.id))
      assert.deepStrictEqual(yield* ends, [now + 30 * day, now + 30 * day])
      const shortened = yield* tab.get(connectionPath(client.id))
      assert.include(shortened.body, "Access ends sooner now.")
      assert.include(shortened.body, "You let its access end after 30 days.")
      assert.notInclude(shortened.body, "In 30 days")
      yield* post("day")
      for (const end of ["month", "year", ""]) yield* post(end)
      assert.deepStrictEqual(yield* ends, [now + day, now + day])
      assert.deepStrictEqual(
        (yield* trailOf(user)).map(({ details }) => details),
        [{ grants: 2, days: 1 }, { grants: 2, days: 30 }]
      )
      // The check of API calls reads the same end.
      yield* TestClock.adjust(day - 1)
      assert.strictEqual((yield* grants.statusOf(second.id)).status, "usable")
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* grants.statusOf(second.id)).status, "ended")
      assert.strictEqual((yield* tab.get(connectionPath(client.id))).status, 404)
    }))

  it.effect("tells what was allowed when", () =>
    Effect.gen(function*() {
      const { client, request, tab, user } = yield* requestingApp({ scopes: ["PROFILE_READ", "BOOKING_WRITE"] })
      for (const scope of ["PROFILE_READ", "PROFILE_READ BOOKING_WRITE", "PROFILE_READ"]) {
        const query = new URLSearchParams({ ...request, scope, prompt: "consent" })
        const { question } = yield* tab.get(`/auth/oauth2/authorize?${query}`)
        yield* tab.post("/auth/oauth2/decision", { csrf: tab.csrf, request: question, decision: "allow" })
      }
      yield* grant(user, client.id, ["PROFILE_READ"])
      const { body } = yield* tab.get(connectionPath(client.id))
      const lines = [...body.matchAll(/<li><div>(.*?)<\/div>/g)].map(([, line]) => line)
      assert.deepStrictEqual(lines, [
        "You allowed the same again.",
        "You allowed one thing more: “Manage your bookings”.",
        "You allowed “See your profile”."
      ])
    }))

  it.effect("is ended once by any number of requests", () =>
    Effect.gen(function*() {
      const { client, user } = yield* scene
      const connections = yield* Connections
      const answers = yield* Effect.all(
        Array.from({ length: 5 }, () => connections.disconnect(user, client.id)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.flat(), [client.id])
      assert.deepStrictEqual((yield* trailOf(user)).map(({ action }) => action), ["consent.withdrawn"])
    }))
})
