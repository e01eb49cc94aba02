import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { registration } from "../../core/clients/Fixture.ts"
import { misfits, operations } from "./Fixture.ts"
import * as Scenario from "./Scenario.ts"

/** What a 201 says about its contract, and the address that it names, as a path of the server under test. */
const created = (name: string, answer: Effect.Success<ReturnType<typeof Scenario.ask>>) => {
  const operation = operations.find((operation) => operation.name === name)
  assert.property(operation?.operation.responses[201]?.headers, "location", name)
  assert.deepStrictEqual(operation && misfits(operation, answer), [])
  assert.strictEqual(answer.status, 201, answer.text)
  const location = answer.headers.get("location") ?? ""
  assert.isTrue(location.startsWith("https://slotkey.test/v2/"), location)
  return location.slice("https://slotkey.test".length)
}

layer(Scenario.layer)("an answer 201 names the address of", (it) => {
  it.effect("an app, which is read there", () =>
    Effect.gen(function*() {
      const { call } = yield* Scenario.keyHolder()
      const made = yield* call("POST", "/v2/oauth-clients", registration)
      const { json, status } = yield* call("GET", created("POST /v2/oauth-clients", made))
      assert.strictEqual(status, 200)
      // Only the answer to a registration has the secret, and the address of one app alone its place in the queue.
      const { waiting, ...read } = Object(json["data"])
      assert.isNumber(waiting.place)
      assert.deepStrictEqual({ ...read, secret: null }, { ...Object(made.json["data"]), secret: null })
    }))

  it.effect("a secret, which is revoked there", () =>
    Effect.gen(function*() {
      const { owner, path } = yield* Scenario.legacyApp
      const made = yield* owner.call("POST", `${path}/secrets`)
      const address = created("POST /v2/oauth-clients/{id}/secrets", made)
      assert.strictEqual((yield* owner.call("DELETE", address)).status, 200)
    }))

  it.effect("an API key, which is revoked there", () =>
    Effect.gen(function*() {
      const { call } = yield* Scenario.visitor
      const address = created("POST /v2/api-keys", yield* call("POST", "/v2/api-keys", { name: "CI" }))
      assert.strictEqual((yield* call("DELETE", address, {})).status, 200)
    }))

  it.effect("an account of a platform's user, which is read there", () =>
    Effect.gen(function*() {
      const { call } = yield* Scenario.keyHolder("admin")
      const query = new URLSearchParams({ issuer: "https://id.platform.test/", subject: "auth0|ann & bob/1" })
      const made = yield* call("PUT", `/v2/admin/identities?${query}`, {})
      const { json, status } = yield* call("GET", created("PUT /v2/admin/identities", made))
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(json, made.json)
    }))
})
