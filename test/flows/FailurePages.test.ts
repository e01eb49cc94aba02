import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { cookieName } from "../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { newAccount } from "../core/clients/Scenario.ts"
import { form, layer as server, serverClient } from "../support/TestServer.ts"

const cookieOf = Effect.fnUntraced(function*(name: string, role: "user" | "admin" = "user") {
  const token = yield* (yield* Sessions).start(yield* newAccount(name, role))
  return `${cookieName(yield* AppConfig)}=${Redacted.value(token)}`
})

/** Addresses that a signed-in user may come by, and the status of what is there. */
const failures: ReadonlyArray<readonly [status: number, method: "GET" | "POST", path: string]> = [
  [404, "GET", "/nowhere"],
  [404, "GET", "/settings/apps/nowhere"],
  [404, "GET", "/review/nowhere"],
  [404, "GET", "/account/api-keys/revoke?id=nowhere"],
  [404, "GET", "/playground?app=nowhere"],
  [404, "GET", "/connections/nowhere/disconnect"],
  [405, "GET", "/sign-out"],
  [400, "GET", "/auth/oauth2/authorize"],
  [400, "GET", "/playground/callback?code=1&state=2"],
  [403, "POST", "/settings/apps"],
  [410, "GET", "/setup?token=old"]
]

layer(server())("a page that explains a failure", (it) => {
  it.effect.each(failures)(
    "%i of %s %s keeps the navigation of the signed-in user",
    ([status, method, path]) =>
      Effect.gen(function*() {
        const { ask } = yield* serverClient
        const cookie = yield* cookieOf("Nav Igator", "admin")
        const { headers, status: answered, text } = yield* ask(path, {
          method,
          headers: { cookie, accept: "text/html" },
          ...(method === "POST" ? { body: form({ csrf: "wrong" }) } : {})
        })
        assert.strictEqual(answered, status)
        for (const href of ["/settings/apps", "/connections", "/playground", "/review", "/account"]) {
          assert.include(text, `<a href="${href}"`)
        }
        assert.include(text, "Nav Igator")
        assert.include(text, "action=\"/sign-out\"")
        assert.notInclude(text, "<!--")
        assert.strictEqual(headers.get("cache-control"), "no-store")
        if (status === 405) assert.strictEqual(headers.get("allow"), "POST")
      })
  )

  it.effect("leads a user without a session to the sign-in, and back to the reference", () =>
    Effect.gen(function*() {
      const { ask, post } = yield* serverClient
      const unknown = yield* ask("/nowhere")
      const signedOut = yield* post("/account/password", {})
      assert.deepStrictEqual([unknown.status, signedOut.status], [404, 403])
      for (const { text } of [unknown, signedOut]) {
        assert.include(text, "<li><a href=\"/sign-in\">Sign in</a></li>")
        assert.include(text, "<li><a href=\"/docs\">API reference</a></li>")
        assert.notInclude(text, "Sign out")
      }
    }))

  it.effect("is not what a program gets, whatever its session", () =>
    Effect.gen(function*() {
      const { ask } = yield* serverClient
      const headers = { cookie: yield* cookieOf("program"), accept: "text/html" }
      for (
        const path of [
          "/v2/nowhere",
          "/V2/nowhere",
          "/%762/nowhere",
          "/v2",
          "/v2?next=1",
          "/.well-known",
          "/.well-known/nowhere",
          "/.Well-Known/nowhere",
          "/openapi.json/nowhere"
        ]
      ) {
        const { json, status } = yield* ask(path, { headers })
        assert.strictEqual(status, 404)
        assert.deepInclude(json["error"], { code: "not_found" })
      }
      const { json, status } = yield* ask("/openapi.json", { method: "POST", headers })
      assert.strictEqual(status, 405)
      assert.deepInclude(json["error"], { code: "method_not_allowed" })
    }))

  it.effect("is what a browser gets at an address that only resembles one for programs", () =>
    Effect.gen(function*() {
      const { ask } = yield* serverClient
      for (const path of ["/v2x", "/nowhere?next=/.well-known/x", "/openapi.jsonp", "/well-known/x"]) {
        const { headers, status } = yield* ask(path)
        assert.deepStrictEqual([status, headers.get("content-type")], [404, "text/html; charset=utf-8"], path)
      }
    }))
})
