import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { ClientReview } from "../../../src/core/clients/life/ClientReview.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import { connectionsPath, disconnectPath } from "../../../src/doors/consent/ConnectionsView.ts"
import { approvedClient, browser, grant, newAccount, Services } from "./Scenario.ts"

const app = Effect.fnUntraced(function*(name: string) {
  return yield* approvedClient(yield* newAccount("owner"), yield* newAccount("admin", "admin"), { name })
})

layer(Services)("Connected apps", (it) => {
  it.effect("are listed for their user only, with scopes in words, first and last use", () =>
    Effect.gen(function*() {
      const user = yield* newAccount("user")
      const tab = yield* browser(user)
      assert.include((yield* tab.get(connectionsPath)).body, "No app has access to your account.")

      const [sync, legacy, other] = [yield* app("Calendar <Sync>"), yield* app("Old Timer"), yield* app("Other")]
      yield* TestClock.adjust("16 hours")
      yield* grant(user, sync.id, ["PROFILE_READ"])
      yield* TestClock.adjust("1 day")
      yield* grant(user, sync.id, ["PROFILE_READ", "BOOKING_WRITE"])
      yield* grant(user, legacy.id, null)
      yield* grant(yield* newAccount("neighbour"), other.id, ["PROFILE_READ"])
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE accounts SET time_zone = 'Asia/Tokyo' WHERE id = ${user}`

      const { body } = yield* (yield* browser(user)).get(connectionsPath)
      for (
        const text of [
          "Calendar &lt;Sync&gt;",
          "See your profile",
          "Manage your bookings",
          "2 Jan 1970",
          "3 Jan 1970",
          "Everything that you can see and change yourself"
        ]
      ) assert.include(body, text)
      assert.notInclude(body, "Other")
      assert.notInclude(body, "<Sync>")
    }))

  it.effect("come fifty to a page, the last used first", () =>
    Effect.gen(function*() {
      const user = yield* newAccount("user")
      const apps = yield* Effect.forEach(
        Array.from({ length: 51 }, (_, index) => index),
        (index) => app(`App ${index}`)
      )
      for (const { id } of apps) {
        yield* TestClock.adjust("1 second")
        yield* grant(user, id, ["PROFILE_READ"])
      }
      const tab = yield* browser(user)
      const names = ({ body }: { readonly body: string }) =>
        [...body.matchAll(/<span class="app-name">(.*?)</g)].map(([, name]) => name)
      const first = yield* tab.get(connectionsPath)
      assert.deepStrictEqual(names(first), Array.from({ length: 50 }, (_, index) => `App ${50 - index}`))
      assert.include(first.body, `href="${connectionsPath}?page=2" rel="next"`)
      for (const page of ["2", "99"]) {
        assert.deepStrictEqual(names(yield* tab.get(`${connectionsPath}?page=${page}`)), ["App 0"])
      }
    }))

  it.effect("lose their access at once, by a form of this session only", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const user = yield* newAccount("user")
      const [one, two] = [yield* app("One"), yield* app("Two")]
      for (const { id } of [one, one, two]) yield* grant(user, id, ["PROFILE_READ"])
      const tab = yield* browser(user)
      const other = yield* browser(yield* newAccount("mallory"))

      assert.strictEqual((yield* tab.post(disconnectPath, { client_id: one.id })).status, 403)
      assert.strictEqual((yield* tab.post(disconnectPath, { csrf: other.csrf, client_id: one.id })).status, 403)
      yield* other.post(disconnectPath, { csrf: other.csrf, client_id: one.id })
      assert.lengthOf(yield* grants.listLive(user, one.id), 2)

      const asked = yield* tab.get(`${disconnectPath}?client_id=${one.id}`)
      assert.include(asked.body, "End the access of <bdi>One</bdi>?")
      assert.include(asked.body, "on all devices")
      assert.strictEqual((yield* other.get(`${disconnectPath}?client_id=${one.id}`)).location, "/connections")
      assert.lengthOf(yield* grants.listLive(user, one.id), 2)
      const { location, status } = yield* tab.post(disconnectPath, { csrf: tab.csrf, client_id: one.id })
      assert.strictEqual(status, 303)
      const { body } = yield* tab.get(location!)
      assert.include(body, "access has ended.")
      assert.notInclude((yield* tab.get("/connections?disconnected")).body, "access has ended.")
      assert.include(body, "Two")
      assert.notInclude(body, "One")
      assert.lengthOf(yield* grants.listLive(user, one.id), 0)
      assert.lengthOf(yield* grants.listLive(user, two.id), 1)
      const trail = yield* (yield* AuditLog).list({ clientId: one.id })
      assert.deepStrictEqual(trail[0]?.details, { grants: 2 })
      assert.strictEqual((yield* tab.post(disconnectPath, { csrf: tab.csrf, client_id: "x" })).location, "/connections")
      assert.strictEqual((yield* tab.post(disconnectPath, { csrf: tab.csrf })).location, "/connections")
    }))

  it.effect("show that an administrator has suspended them", () =>
    Effect.gen(function*() {
      const user = yield* newAccount("user")
      const admin = yield* newAccount("admin", "admin")
      const client = yield* app("Stopped")
      yield* grant(user, client.id, ["PROFILE_READ"])
      yield* (yield* ClientReview).suspend(admin, client.id, "It sends spam to its users.")
      assert.include(
        (yield* (yield* browser(user)).get(connectionsPath)).body,
        "This app is suspended."
      )
    }))
})
