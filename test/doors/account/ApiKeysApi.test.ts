import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../../src/core/accounts/Accounts.ts"
import { ApiKeys } from "../../../src/core/accounts/ApiKeys.ts"
import { ApiKeysHandlers } from "../../../src/doors/account/ApiKeysHandlers.ts"
import { authenticatedLayer } from "../../../src/doors/account/Authentication.ts"
import { ApiKeysApi } from "../../../src/doors/contract/ApiKeysApi.ts"
import { jsonInputLayer } from "../../../src/foundation/http/JsonInputLayer.ts"
import { ErrorBoundary } from "../../../src/foundation/web/ErrorBoundary.ts"
import { password } from "../../core/accounts/Scenario.ts"
import { httpSender } from "../../support/HttpSender.ts"
import { Services } from "./Scenario.ts"

const routes = HttpApiBuilder.layer(HttpApi.make("slotkey").add(ApiKeysApi)).pipe(
  Layer.merge(ErrorBoundary),
  Layer.provide(ApiKeysHandlers),
  Layer.provide([authenticatedLayer, jsonInputLayer]),
  Layer.provide(HttpServer.layerServices)
)

interface Info {
  readonly id: string
  readonly name: string
  readonly lastFour: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly key?: string
}
interface Answer<A> {
  readonly data: A
  readonly error?: { readonly code: string }
}

const caller = Effect.fnUntraced(function*(name: string) {
  const account = yield* (yield* Accounts).create({ email: `${name}@example.test`, name, password })
  const { key } = yield* (yield* ApiKeys).create(account.id, "first", account.id)
  const send = yield* httpSender(routes)
  return Effect.fnUntraced(function*<A = unknown>(method: string, path: string, payload?: unknown) {
    const response = yield* send(path, {
      method,
      headers: { authorization: `Bearer ${Redacted.value(key)}`, "content-type": "application/json" },
      ...(payload === undefined ? {} : { body: JSON.stringify(payload) })
    })
    return { status: response.status, body: (yield* Effect.promise(() => response.json())) as Answer<A> }
  })
})

layer(Services)("/v2/api-keys", (it) => {
  it.effect("creates a key that works, shows it once, lists it, and revokes it", () =>
    Effect.gen(function*() {
      const send = yield* caller("ann")
      const created = yield* send<Info>("POST", "/v2/api-keys", { name: "deploy" })
      assert.strictEqual(created.status, 201)
      const { key, ...info } = created.body.data
      assert.match(key ?? "", /^slk_key_[A-Za-z0-9]{49}$/)
      assert.deepStrictEqual(Object.keys(info).sort(), ["createdAt", "id", "lastFour", "lastUsedAt", "name"])
      assert.strictEqual(info.createdAt, "1970-01-01T00:00:00.000Z")

      const listed = yield* send<ReadonlyArray<Info>>("GET", "/v2/api-keys")
      assert.deepStrictEqual(listed.body.data.find(({ name }) => name === "deploy"), info)
      assert.notInclude(JSON.stringify(listed.body), key ?? "")

      assert.strictEqual((yield* send("DELETE", `/v2/api-keys/${info.id}`)).status, 200)
      assert.strictEqual((yield* send("DELETE", `/v2/api-keys/${info.id}`)).status, 404)
      const left = yield* send<ReadonlyArray<Info>>("GET", "/v2/api-keys")
      assert.deepStrictEqual(left.body.data.map(({ name }) => name), ["first"])
    }))

  it.effect("shows and revokes no key of another account", () =>
    Effect.gen(function*() {
      const mine = yield* caller("bea")
      const theirs = yield* caller("cat")
      const { body } = yield* mine<ReadonlyArray<Info>>("GET", "/v2/api-keys")
      assert.strictEqual((yield* theirs("DELETE", `/v2/api-keys/${body.data[0]?.id}`)).status, 404)
      assert.strictEqual((yield* mine("GET", "/v2/api-keys")).status, 200)
    }))

  it.effect.each([
    { what: "no name", payload: {} },
    { what: "an empty name", payload: { name: " " } },
    { what: "a long name", payload: { name: "x".repeat(101) } },
    { what: "a NUL", payload: { name: "a\0b" } },
    { what: "a number", payload: { name: 5 } }
  ])("refuses $what, and keeps nothing", ({ payload, what }) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const send = yield* caller(`dan-${what.replaceAll(" ", "-")}`)
      const before = yield* sql`SELECT id FROM api_keys`
      const refused = yield* send("POST", "/v2/api-keys", payload)
      assert.strictEqual(refused.status, 400)
      assert.strictEqual(refused.body.error?.code, "invalid_input")
      assert.deepStrictEqual(yield* sql`SELECT id FROM api_keys`, before)
    }))

  it.effect.each([
    { id: "not-an-id", status: 400 },
    { id: "%00", status: 400 },
    { id: "%ff", status: 404 }
  ])("refuses the id $id", ({ id, status }) =>
    Effect.gen(function*() {
      const send = yield* caller(`eli-${encodeURIComponent(id).replaceAll("%", "")}`)
      assert.strictEqual((yield* send("DELETE", `/v2/api-keys/${id}`)).status, status)
    }))
})
