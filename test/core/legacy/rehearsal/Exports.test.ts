import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { exports, people } from "../../../flows/exports/Exports.ts"
import { jsonLines } from "../import/Scenario.ts"
import { rehearse, server } from "./Scenario.ts"

layer(server, { timeout: 120_000 })("A rehearsal with the export of another server", (it) => {
  it.effect("tells apps that it leaves out or that do not fit from those that it does not name", () =>
    Effect.gen(function*() {
      yield* people("correct horse battery staple")
      const { origin, text } = exports.keycloak
      const requests = ["account", "wall-display", "nobody", "crm-web"].map((client_id) => ({
        client_id,
        redirect_uri: "https://elsewhere.example/"
      }))
      const { log, refused } = yield* rehearse(text, [jsonLines(...requests)], { from: origin })
      assert.strictEqual(log.refused, 4)
      assert.deepStrictEqual(Object.fromEntries(refused.map(({ cause, clientId }) => [clientId, cause])), {
        account: "client-unfit",
        "wall-display": "client-unfit",
        nobody: "client-unknown",
        "crm-web": "redirect-uri-unregistered"
      })
    }))
})
