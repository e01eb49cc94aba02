import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import { ApiKeysHandlers } from "../../../src/doors/account/ApiKeysHandlers.ts"
import { ApiKeysApi } from "../../../src/doors/contract/ApiKeysApi.ts"
import { authenticatedLayer } from "../../../src/doors/session/Authentication.ts"
import { cookieName } from "../../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
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
  readonly expiresAt: string | null
  readonly key?: string
}
interface Answer<A> {
  readonly data: A
  readonly error?: { readonly code: string; readonly message: string }
}

/** An account with the key "first", in whose name requests are sent: with that key, and by a session. */
const caller = Effect.fnUntraced(function*(name: string) {
  const account = yield* (yield* Accounts).create({ email: `${name}@example.test`, name, password })
  const { key } = yield* (yield* ApiKeys).create(account.id, "first", account.id)
  const sessions = yield* Sessions
  const token = Redacted.value(yield* sessions.start(account.id))
  const { csrf } = Option.getOrThrow(yield* sessions.find(token))
  const cookie = `${cookieName(yield* AppConfig)}=${token}`
  const send = yield* httpSender(routes)
  const sender = (credential: Record<string, string>) =>
    Effect.fnUntraced(function*<A = unknown>(method: string, path: string, payload?: unknown) {
      const response = yield* send(path, {
        method,
        headers: { ...credential, "content-type": "application/json" },
        ...(payload === undefined ? {} : { body: JSON.stringify(payload) })
      })
      return { status: response.status, body: (yield* Effect.promise(() => response.json())) as Answer<A> }
    })
  const withKey = (key: string) => sender({ authorization: `Bearer ${key}` })
  return { account, byKey: withKey(Redacted.value(key)), bySession: sender({ cookie, "x-csrf-token": csrf }), withKey }
})

layer(Services)("/v2/api-keys", (it) => {
  it.effect("creates a key that works, shows it once, lists it, and revokes it", () =>
    Effect.gen(function*() {
      const { bySession: send } = yield* caller("ann")
      const created = yield* send<Info>("POST", "/v2/api-keys", { name: "deploy" })
      assert.strictEqual(created.status, 201)
      const { key, ...info } = created.body.data
      assert.match(key ?? "", /^slk_key_[A-Za-z0-9]{49}$/)
      assert.deepStrictEqual(
        Object.keys(info).sort(),
        ["createdAt", "expiresAt", "id", "lastFour", "lastUsedAt", "name"]
      )
      assert.strictEqual(info.createdAt, "1970-01-01T00:00:00.000Z")
      assert.isNull(info.expiresAt)

      const listed = yield* send<ReadonlyArray<Info>>("GET", "/v2/api-keys")
      assert.deepStrictEqual(listed.body.data.find(({ name }) => name === "deploy"), info)
      assert.notInclude(JSON.stringify(listed.body), key ?? "")

      assert.strictEqual((yield* send("DELETE", `/v2/api-keys/${info.id}`)).status, 200)
      assert.strictEqual((yield* send("DELETE", `/v2/api-keys/${info.id}`)).status, 404)
      const left = yield* send<ReadonlyArray<Info>>("GET", "/v2/api-keys")
      assert.deepStrictEqual(left.body.data.map(({ name }) => name), ["first"])
    }))

  it.effect("lets no key make a key, but revoke one, itself included", () =>
    Effect.gen(function*() {
      const { account, byKey } = yield* caller("flo")
      const refused = yield* byKey("POST", "/v2/api-keys", { name: "offspring" })
      assert.strictEqual(refused.status, 403)
      assert.strictEqual(refused.body.error?.code, "session_required")
      const keys = yield* ApiKeys
      const [own, ...others] = yield* keys.list(account.id)
      assert.deepStrictEqual(others, [])
      assert.strictEqual((yield* byKey("DELETE", `/v2/api-keys/${own?.id}`)).status, 200)
      assert.strictEqual((yield* byKey("GET", "/v2/api-keys")).body.error?.code, "invalid_api_key")
    }))

  it.effect("refuses a key whose end has passed with that reason, and shows it in the list", () =>
    Effect.gen(function*() {
      const { bySession, withKey } = yield* caller("gus")
      const expiresAt = "1970-01-02T00:00:00.000Z"
      const created = yield* bySession<Info>("POST", "/v2/api-keys", { name: "for a day", expiresAt })
      assert.strictEqual(created.body.data.expiresAt, expiresAt)
      const send = withKey(created.body.data.key ?? "")
      yield* TestClock.adjust(Duration.millis(86_399_999))
      assert.strictEqual((yield* send("GET", "/v2/api-keys")).status, 200)
      yield* TestClock.adjust(1)
      const refused = yield* send("GET", "/v2/api-keys")
      assert.strictEqual(refused.status, 401)
      assert.deepInclude(refused.body.error, { code: "api_key_expired" })
      assert.include(refused.body.error?.message, "2 Jan 1970, 00:00 UTC")
      const listed = yield* bySession<ReadonlyArray<Info>>("GET", "/v2/api-keys")
      assert.sameMembers(listed.body.data.map((key) => key.expiresAt), [expiresAt, null])
    }))

  it.effect("shows and revokes no key of another account", () =>
    Effect.gen(function*() {
      const { byKey: mine } = yield* caller("bea")
      const { byKey: theirs } = yield* caller("cat")
      const { body } = yield* mine<ReadonlyArray<Info>>("GET", "/v2/api-keys")
      assert.strictEqual((yield* theirs("DELETE", `/v2/api-keys/${body.data[0]?.id}`)).status, 404)
      assert.strictEqual((yield* mine("GET", "/v2/api-keys")).status, 200)
    }))

  it.effect.each([
    { what: "no name", payload: {} },
    { what: "an empty name", payload: { name: " " } },
    { what: "a long name", payload: { name: "x".repeat(101) } },
    { what: "a NUL", payload: { name: "a\0b" } },
    { what: "a number", payload: { name: 5 } },
    { what: "an end that is no time", payload: { name: "k", expiresAt: "tomorrow" } },
    { what: "a day that the year has not", payload: { name: "k", expiresAt: "2027-02-29T00:00:00Z" } },
    { what: "a day that two countries read as two", payload: { name: "k", expiresAt: "11/12/2027" } },
    { what: "an end that has passed", payload: { name: "k", expiresAt: "1970-01-01T00:00:00Z" } }
  ])("refuses $what, and keeps nothing", ({ payload, what }) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { bySession: send } = yield* caller(`dan-${what.replaceAll(" ", "-")}`)
      const before = yield* sql`SELECT id FROM api_keys`
      const refused = yield* send("POST", "/v2/api-keys", payload)
      assert.strictEqual(refused.status, 400)
      assert.strictEqual(refused.body.error?.code, "invalid_input")
      assert.deepStrictEqual(yield* sql`SELECT id FROM api_keys`, before)
    }))

  it.effect.each([
    { id: "not-an-id", code: "api_key_not_found" },
    { id: "%00", code: "api_key_not_found" },
    { id: "%ff", code: "not_found" }
  ])("finds nothing under the id $id", ({ code, id }) =>
    Effect.gen(function*() {
      const { byKey: send } = yield* caller(`eli-${encodeURIComponent(id).replaceAll("%", "")}`)
      const { body, status } = yield* send("DELETE", `/v2/api-keys/${id}`)
      assert.deepStrictEqual([status, body.error?.code], [404, code])
    }))
})
