import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../../src/domain/Ids.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as Clients from "../../core/clients/Scenario.ts"
import { caller, newAccount, Services, visitor } from "./Scenario.ts"

/** An app with users who have given these scopes and declined others. */
const scene = Effect.fnUntraced(function*(owner: { readonly id: UserId }) {
  const sql = yield* SqlClient.SqlClient
  const admin = yield* newAccount("admin")
  const client = yield* Clients.approvedClient(owner.id, admin.id, {
    scopes: ["PROFILE_READ", "BOOKING_READ", "SCHEDULE_READ"],
    optionalScopes: ["SCHEDULE_READ"]
  })
  const users = [
    { scopes: ["PROFILE_READ"], declined: null },
    { scopes: ["PROFILE_READ", "BOOKING_READ"], declined: ["SCHEDULE_READ"] },
    { scopes: ["PROFILE_READ", "BOOKING_READ", "SCHEDULE_READ"], declined: null },
    { scopes: null, declined: null }
  ]
  yield* Effect.forEach(
    users,
    ({ declined, scopes }, at) =>
      sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, declined, rotated_at, created_at, expires_at)
      VALUES (gen_random_uuid(), '', ${client.id}, ${`user ${at}`}, ${scopes}::text[], ${declined}::text[], now(), now(),
        now() + interval '1 year')`
  )
  return client
})

layer(Services)("The users who lack a scope of an app", (it) => {
  it.effect("are a line beside its scopes, and by scope on a page with the link to send, for its owner alone", () =>
    Effect.gen(function*() {
      const dev = yield* visitor()
      const client = yield* scene(dev.account)
      const path = `/settings/apps/${client.id}`
      assert.include((yield* dev.get(`${path}/scopes`)).text, "One user has not given all of these scopes.")

      const { text } = yield* dev.get(`${path}/lacking`)
      assert.include(text, "Of 4 users, one has not given all that the app may ask for.")
      const cells = [...text.matchAll(/<code>([A-Z_]+)<\/code>[^]*?<td[^>]*>([^<]*)<\/td>\s*<td[^>]*>([^<]*)<\/td>/g)]
      assert.deepStrictEqual(cells.map(([, ...row]) => row), [["BOOKING_READ", "1", "–"], ["SCHEDULE_READ", "1", "1"]])
      assert.include(text, `${(yield* AppConfig).authUrl}/connections/apps/${client.id}/more`)
      for (let user = 0; user < 4; user++) assert.notInclude(text, `user ${user}`)

      const other = yield* visitor()
      assert.strictEqual((yield* other.get(`${path}/lacking`)).status, 404)
    }))

  it.effect("are the same numbers by API", () =>
    Effect.gen(function*() {
      const owner = yield* caller()
      const client = yield* scene(owner.account)
      const path = `/v2/oauth-clients/${client.id}/lacking-scopes`
      assert.deepStrictEqual((yield* owner.call("GET", path)).body.data, {
        users: 4,
        isComplete: true,
        lacking: 1,
        scopes: [
          { scope: "BOOKING_READ", isOptional: false, lacking: 1, declined: 0 },
          { scope: "SCHEDULE_READ", isOptional: true, lacking: 1, declined: 1 }
        ],
        link: `${(yield* AppConfig).authUrl}/connections/apps/${client.id}/more`
      })
      assert.strictEqual((yield* (yield* caller("admin")).call("GET", path)).status, 404)
    }))
})
