import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { decisionPath } from "../../../src/doors/consent/ConsentView.ts"
import { authorizePath, codesOf, grant, parameters, requestingApp, Services } from "./Scenario.ts"

layer(Services)("A legacy app", (it) => {
  it.effect("may ask for everything, and its requests are counted", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { client, request, tab, user } = yield* requestingApp()
      yield* sql`UPDATE clients SET legacy = true, scopes = '{}' WHERE id = ${client.id}`
      const page = yield* tab.get(authorizePath({ ...request, scope: "" }))
      assert.strictEqual(page.status, 200)
      assert.include(page.body, "does not say what it needs, so it gets everything")
      yield* tab.post(decisionPath, { csrf: tab.csrf, request: page.question, decision: "allow" })
      assert.isNull((yield* codesOf(client.id))[0]?.scopes)

      yield* grant(user, client.id, ["PROFILE_READ"])
      assert.strictEqual((yield* tab.get(authorizePath({ ...request, scope: "" }))).status, 200)
      yield* tab.get(authorizePath({ ...request, scope: "PROFILE_READ BOOKING_READ" }))
      yield* tab.get(authorizePath({ ...request, scope: "BOOKING_REED" }))
      const counted = yield* sql<{ scope: string; requests: number }>`
      SELECT scope, requests::int AS requests FROM legacy_authorizations WHERE client_id = ${client.id} ORDER BY scope`
      assert.deepStrictEqual(Object.fromEntries(counted.map(({ requests, scope }) => [scope, requests])), {
        "": 2,
        "*": 1,
        BOOKING_READ: 1,
        PROFILE_READ: 1
      })
    }))

  it.effect("is refused if its scopes are saved while the user decides", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { client, request, tab } = yield* requestingApp()
      yield* sql`UPDATE clients SET legacy = true, scopes = '{}' WHERE id = ${client.id}`
      const { question } = yield* tab.get(authorizePath({ ...request, scope: "" }))
      yield* sql`UPDATE clients SET scopes = '{PROFILE_READ}' WHERE id = ${client.id}`
      const { location } = yield* tab.post(decisionPath, { csrf: tab.csrf, request: question, decision: "allow" })
      assert.strictEqual(parameters(location)["error"], "invalid_scope")
      assert.deepStrictEqual(yield* codesOf(client.id), [])
    }))
})
