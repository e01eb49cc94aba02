import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { Api } from "../../../src/doors/contract/Api.ts"
import * as Clients from "../../core/clients/Scenario.ts"
import { Services, visitor } from "./Scenario.ts"

layer(Services)("The refused requests on the page of an app", (it) => {
  it.effect("are five at a time, filtered by a form, and say how a program reads the same", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const dev = yield* visitor()
      const { client } = yield* Clients.newClient(dev.account.id)
      const path = `/settings/apps/${client.id}/activity`
      const keep = (endpoint: string, error: string, reason: string) =>
        sql`INSERT INTO refused_requests (client_id, at, endpoint, error, reason, times, reference)
          VALUES (${client.id}, now(), ${endpoint}, ${error}, ${reason}, 1, 'a reference')`
      for (let n = 0; n < 12; n++) yield* keep("token", "invalid_grant", `cause ${n}.`)
      yield* keep("authorize", "invalid_scope", "cause of a scope.")
      const causes = (text: string) => text.match(/cause (\d+|of a scope)\./g)
      const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => `cause ${from - n}.`)

      const nextOf = (text: string) => /href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? ""
      const first = (yield* dev.get(path)).text
      assert.deepStrictEqual(causes(first), ["cause of a scope.", ...down(11, 8)])
      const second = (yield* dev.get(nextOf(first))).text
      assert.deepStrictEqual(causes(second), down(7, 3))
      const last = (yield* dev.get(nextOf(second))).text
      assert.deepStrictEqual(causes(last), down(2, 0))
      assert.strictEqual(nextOf(last), "")

      const narrowed = (yield* dev.get(`${path}?error=invalid_scope&endpoint=authorize&reference=`)).text
      assert.deepStrictEqual(causes(narrowed), ["cause of a scope."])
      for (const value of ["invalid_scope", "authorize"]) assert.include(narrowed, `value="${value}" selected`)
      assert.include(
        narrowed.replaceAll("&amp;", "&").replaceAll("&#39;", "'"),
        `/v2/oauth-clients/${client.id}/refused-requests?error=invalid_scope&endpoint=authorize'`
      )
      const { get } = OpenApi.fromApi(Api).paths["/v2/oauth-clients/{id}/refused-requests"] ?? {}
      assert.include(narrowed, `href="/docs#${get?.operationId}"`)

      const byError = (yield* dev.get(`${path}?error=invalid_grant`)).text
      assert.deepStrictEqual(causes((yield* dev.get(nextOf(byError))).text), down(6, 2))
      assert.include((yield* dev.get(`${path}?error=invalid_client`)).text, "Nothing like that was refused recently.")
      // What an address says wrongly is not said.
      for (const odd of ["cursor=mine", "endpoint=me", "error=%00&cursor=%00"]) {
        assert.strictEqual((yield* dev.get(`${path}?${odd}`)).status, 200, odd)
      }
    }))
})
