import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { authorizePath, browser, codesOf, grant, newAccount, parameters, requestingApp, Services } from "./Scenario.ts"

layer(Services)("Consent given before", (it) => {
  it.effect("is enough for a confidential app that requests no more", () =>
    Effect.gen(function*() {
      const { client, request, tab, user } = yield* requestingApp({ scopes: ["PROFILE_READ", "TEAM_BOOKING_READ"] })
      yield* grant(user, client.id, ["PROFILE_READ", "ORG_BOOKING_READ"])
      const { location, status } = yield* tab.get(
        authorizePath({ ...request, scope: "PROFILE_READ,TEAM_BOOKING_READ" })
      )
      assert.strictEqual(status, 303)
      assert.deepStrictEqual(Object.keys(parameters(location)), ["code", "state", "iss"])
      assert.deepStrictEqual((yield* codesOf(client.id))[0]?.scopes, ["PROFILE_READ", "TEAM_BOOKING_READ"])
    }))

  it.effect("is not enough for more scopes, a public app, another user, or a demanded prompt", () =>
    Effect.gen(function*() {
      const { client, request, tab, user } = yield* requestingApp()
      yield* grant(user, client.id, ["PROFILE_READ"])
      const more = yield* tab.get(authorizePath({ ...request, scope: "PROFILE_READ BOOKING_READ" }))
      assert.strictEqual(more.status, 200)
      assert.include(more.body, "now asks for more")
      assert.include(more.body, "Already allowed: 1")
      assert.include(more.body, "Allow 1 more")
      assert.strictEqual((yield* tab.get(authorizePath({ ...request, prompt: "consent" }))).status, 200)
      assert.strictEqual((yield* tab.get(authorizePath(request))).status, 303)
      const other = yield* browser(yield* newAccount("other"))
      assert.strictEqual((yield* other.get(authorizePath(request))).status, 200)

      const open = yield* requestingApp({ kind: "public" })
      yield* grant(open.user, open.client.id, ["PROFILE_READ"])
      const again = yield* open.tab.get(authorizePath(open.request))
      assert.strictEqual(again.status, 200)
      assert.include(again.body, "You allowed all of this before.")
    }))

  it.effect("ends with its grant", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { client, request, tab, user } = yield* requestingApp()
      yield* grant(user, client.id, ["PROFILE_READ"])
      yield* sql`UPDATE grants SET revoked_at = created_at WHERE client_id = ${client.id}`
      assert.strictEqual((yield* tab.get(authorizePath(request))).status, 200)
    }))
})
