import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import { ManagedAccounts } from "../../../src/core/accounts/local/ManagedAccounts.ts"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import { Authenticated, CurrentUser, RequireAdmin, RequireReviewer } from "../../../src/doors/contract/CurrentUser.ts"
import {
  authenticatedLayer,
  requireAdminLayer,
  requireReviewerLayer
} from "../../../src/doors/session/Authentication.ts"
import { password } from "../../core/accounts/Scenario.ts"
import { httpSender } from "../../support/HttpSender.ts"
import { Services } from "../account/Scenario.ts"

const Things = HttpApiGroup.make("things").add(
  HttpApiEndpoint.get("read", "/v2/things", { success: Schema.String }).middleware(Authenticated),
  HttpApiEndpoint.post("write", "/v2/things", { success: Schema.String }).middleware(Authenticated),
  HttpApiEndpoint.get("review", "/v2/review", { success: Schema.String }).middleware(RequireReviewer),
  HttpApiEndpoint.get("admin", "/v2/admin", { success: Schema.String }).middleware(RequireAdmin)
)
const Api = HttpApi.make("test").add(Things)

const who = () => Effect.map(CurrentUser, ({ account, via }) => `${account.name} by ${via}`)
const Handlers = HttpApiBuilder.group(
  Api,
  "things",
  (handlers) => handlers.handleAll({ read: who, write: who, review: who, admin: who })
)

const routes = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(Handlers),
  Layer.provide([authenticatedLayer, requireAdminLayer, requireReviewerLayer]),
  Layer.provide(HttpServer.layerServices)
)

interface Refusal {
  readonly error: { readonly code: string }
}

const send = Effect.fnUntraced(function*(method: string, path: string, headers: Record<string, string>) {
  const response = yield* (yield* httpSender(routes))(path, { method, headers })
  const body: unknown = yield* Effect.promise(() => response.json())
  // RFC 6750 §3.1: a request without a credential learns no error code.
  const error = headers["authorization"]?.startsWith("Bearer") ? ", error=\"invalid_token\"" : ""
  assert.strictEqual(
    response.headers.get("www-authenticate"),
    response.status === 401 ? `Bearer realm="Slotkey API keys"${error}` : null
  )
  assert.strictEqual(response.headers.get("cache-control"), "no-store")
  return { status: response.status, answer: typeof body === "string" ? body : (body as Refusal).error.code }
})

const visitor = Effect.fnUntraced(function*(name: string) {
  const account = yield* (yield* Accounts).create({ email: `${name}@example.test`, name, password })
  const token = Redacted.value(yield* (yield* Sessions).start(account.id))
  const { csrf } = Option.getOrThrow(yield* (yield* Sessions).find(token))
  const { key } = yield* (yield* ApiKeys).create(account.id, "test", account.id)
  return {
    account,
    csrf,
    cookie: { cookie: `__Host-slotkey=${token}` },
    key: { authorization: `Bearer ${Redacted.value(key)}` }
  }
})

layer(Services)("Authenticated", (it) => {
  it.effect("admits an API key", () =>
    Effect.gen(function*() {
      const { key } = yield* visitor("kim")
      assert.deepStrictEqual(yield* send("POST", "/v2/things", key), { status: 200, answer: "kim by api-key" })
    }))

  it.effect("admits a session to read, and with its CSRF token to write", () =>
    Effect.gen(function*() {
      const { cookie, csrf } = yield* visitor("sam")
      const other = yield* visitor("sue")
      assert.deepStrictEqual(yield* send("GET", "/v2/things", cookie), { status: 200, answer: "sam by session" })
      const refused = { status: 403, answer: "csrf_token_required" }
      assert.deepStrictEqual(yield* send("POST", "/v2/things", cookie), refused)
      assert.deepStrictEqual(yield* send("POST", "/v2/things", { ...cookie, "x-csrf-token": other.csrf }), refused)
      const accepted = { status: 200, answer: "sam by session" }
      assert.deepStrictEqual(yield* send("POST", "/v2/things", { ...cookie, "x-csrf-token": csrf }), accepted)
    }))

  it.effect("refuses missing and malformed credentials, and OAuth tokens, even beside a session", () =>
    Effect.gen(function*() {
      const { cookie } = yield* visitor("pat")
      assert.deepStrictEqual(yield* send("GET", "/v2/things", {}), { status: 401, answer: "not_signed_in" })
      const refused = { status: 401, answer: "invalid_api_key" }
      const jwt = { authorization: "Bearer eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2ln" }
      assert.deepStrictEqual(yield* send("GET", "/v2/things", jwt), refused)
      assert.deepStrictEqual(yield* send("GET", "/v2/things", { ...jwt, ...cookie }), refused)
      assert.deepStrictEqual(yield* send("GET", "/v2/things", { ...cookie, authorization: "Basic YTpi" }), refused)
      const forged = { cookie: "__Host-slotkey=slk_session_forged" }
      assert.deepStrictEqual(yield* send("GET", "/v2/things", forged), { status: 401, answer: "not_signed_in" })
      // Only the cookie that is bound to this host is read.
      const plain = { cookie: cookie.cookie.replace("__Host-", "") }
      assert.deepStrictEqual(yield* send("GET", "/v2/things", plain), { status: 401, answer: "not_signed_in" })
    }))

  it.effect("refuses a session that began by what a browser showed, where no browser shows anything any more", () =>
    Effect.gen(function*() {
      const { account } = yield* visitor("una")
      const token = Redacted.value(yield* (yield* Sessions).start(account.id, { ofBrowser: true }))
      const refused = { status: 401, answer: "not_signed_in" }
      assert.deepStrictEqual(yield* send("GET", "/v2/things", { cookie: `__Host-slotkey=${token}` }), refused)
    }))

  it.effect("refuses a disabled account with any credential", () =>
    Effect.gen(function*() {
      const { account, cookie, key } = yield* visitor("max")
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE accounts SET disabled_at = created_at WHERE id = ${account.id}`
      const refused = { status: 401, answer: "account_unavailable" }
      assert.deepStrictEqual(yield* send("GET", "/v2/things", key), refused)
      assert.deepStrictEqual(yield* send("GET", "/v2/things", cookie), refused)
    }))

  it.effect("admits reviewers to the review alone, by the role that they have now", () =>
    Effect.gen(function*() {
      const accounts = yield* ManagedAccounts
      const { account, key } = yield* visitor("rita")
      const refused = { status: 403, answer: "reviewers_only" }
      assert.deepStrictEqual(yield* send("GET", "/v2/review", key), refused)
      yield* accounts.setRole(account.id, "reviewer", "cli")
      assert.deepStrictEqual(yield* send("GET", "/v2/review", key), { status: 200, answer: "rita by api-key" })
      assert.deepStrictEqual(yield* send("GET", "/v2/admin", key), { status: 403, answer: "administrators_only" })
      yield* accounts.setRole(account.id, "user", "cli")
      assert.deepStrictEqual(yield* send("GET", "/v2/review", key), refused)
    }))

  it.effect("admits administrators by the role that they have now", () =>
    Effect.gen(function*() {
      const accounts = yield* ManagedAccounts
      const { account, cookie, key } = yield* visitor("root")
      assert.deepStrictEqual(yield* send("GET", "/v2/admin", key), { status: 403, answer: "administrators_only" })
      yield* accounts.setRole(account.id, "admin", "cli")
      assert.deepStrictEqual(yield* send("GET", "/v2/admin", key), { status: 200, answer: "root by api-key" })
      assert.deepStrictEqual(yield* send("GET", "/v2/admin", cookie), { status: 200, answer: "root by session" })
      assert.deepStrictEqual(yield* send("GET", "/v2/review", key), { status: 200, answer: "root by api-key" })
      assert.deepStrictEqual(yield* send("GET", "/v2/admin", {}), { status: 401, answer: "not_signed_in" })
    }))
})
