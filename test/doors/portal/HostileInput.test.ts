import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { registration } from "../../core/clients/Fixture.ts"
import { type Answer, caller, count, Services } from "./Scenario.ts"

layer(Services)("the management API", (it) => {
  it.effect("names every field at fault, the third redirect URI among them", () =>
    Effect.gen(function*() {
      const { call } = yield* caller()
      const before = yield* count
      const { body, status } = yield* call("POST", "/v2/oauth-clients", {
        kind: "secret",
        name: "",
        website: "ftp://app.example",
        redirectUris: ["https://a.example/", "https://b.example/", "https://c.example/#fragment"],
        scopes: []
      })
      assert.strictEqual(status, 400)
      assert.strictEqual(body.error.code, "invalid_input")
      const details = new Map(body.error.details.map(({ message, path }) => [path, message]))
      assert.sameMembers([...details.keys()], ["kind", "name", "purpose", "website", "redirectUris.2", "scopes"])
      assert.strictEqual(details.get("redirectUris.2"), "must not have a fragment (#)")
      assert.strictEqual(details.get("purpose"), "is required")
      assert.strictEqual(details.get("scopes"), "must name at least one scope")
      assert.deepStrictEqual(yield* count, before)
    }))

  it.effect("tells of as many faults as anybody reads, however long a list is", () =>
    Effect.gen(function*() {
      const { call } = yield* caller()
      const before = yield* count
      for (
        const lists of [
          { scopes: Array.from({ length: 20_000 }, () => "") },
          { redirectUris: Array.from({ length: 5_000 }, (_, n) => `u${n}`) },
          { redirectUris: Array.from({ length: 5_000 }, () => "com.a:/") }
        ]
      ) {
        const { body, status } = yield* call("POST", "/v2/oauth-clients", { ...registration, ...lists })
        assert.strictEqual(status, 400)
        assert.isAtMost(body.error.details.length, 50)
      }
      assert.deepStrictEqual(yield* count, before)
    }))

  it.effect("takes no redirect URI with a parameter of the response, neither for a new app nor for one that exists", () =>
    Effect.gen(function*() {
      const { call } = yield* caller()
      const redirectUris = ["https://a.example/", "https://a.example/?state=fixed"]
      const { body: made } = yield* call<{ readonly id: string }>("POST", "/v2/oauth-clients", registration)
      const before = yield* count
      for (
        const [method, path, body] of [
          ["POST", "/v2/oauth-clients", { ...registration, redirectUris }],
          ["PATCH", `/v2/oauth-clients/${made.data.id}`, { redirectUris }]
        ] as const
      ) {
        const { body: answer, status } = yield* call(method, path, body)
        assert.deepStrictEqual([status, answer.error.details.map(({ path }) => path)], [400, ["redirectUris.1"]])
        assert.match(answer.error.details[0]?.message ?? "", /^must not have state in its query/)
      }
      assert.deepStrictEqual(yield* count, before)
    }))

  const fits = (change: object) => JSON.stringify({ ...registration, ...change })
  it.effect.each([
    { what: "nothing", body: "", status: 400 },
    { what: "broken JSON", body: "{", status: 400 },
    { what: "a list", body: "[]", status: 400 },
    { what: "null", body: "null", status: 400 },
    { what: "a NUL in the name", body: fits({ name: "a\0b" }), status: 400 },
    { what: "a lone surrogate in the name", body: fits({ name: "x" }).replace("\"x\"", "\"\\ud800\""), status: 400 },
    { what: "a lone surrogate in the website", body: fits({ website: "https://a.example/\ud800" }), status: 400 },
    { what: "a NUL in a redirect URI", body: fits({ redirectUris: ["https://a.example/\0"] }), status: 400 },
    { what: "a NUL in a scope", body: fits({ scopes: ["BOOKING_READ\0"] }), status: 400 },
    {
      what: "eleven redirect URIs",
      body: fits({ redirectUris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) }),
      status: 400
    },
    {
      what: "one redirect URI twice",
      body: fits({ redirectUris: ["https://a.example/", "https://a.example/"] }),
      status: 400
    },
    { what: "no redirect URI", body: fits({ redirectUris: [] }), status: 400 },
    {
      what: "a private-use scheme for a confidential app",
      body: fits({ redirectUris: ["com.a.example:/"] }),
      status: 400
    },
    { what: "a logo over http", body: fits({ logoUrl: "http://a.example/logo.png" }), status: 400 },
    {
      what: "a logo whose host would end a directive of a policy",
      body: fits({ logoUrl: "https://a;form-action.example/" }),
      status: 400
    },
    { what: "a script as logo", body: fits({ logoUrl: "javascript:alert(1)" }), status: 400 },
    { what: "a field that does not exist", body: fits({ redirect_uris: [] }), status: 400 },
    { what: "deep nesting", body: "[".repeat(20_000), status: 400 },
    { what: "a megabyte", body: fits({ purpose: "x".repeat(1e6) }), status: 413 },
    { what: "another media type", body: "name=x", type: "application/x-www-form-urlencoded", status: 415 },
    { what: "invalid UTF-8", body: new Uint8Array([0x7b, 0xff, 0x7d]), status: 400 }
  ])("refuses $what, says why and keeps nothing", ({ body, status, type }) =>
    Effect.gen(function*() {
      const { raw } = yield* caller()
      const before = yield* count
      const response = yield* raw("POST", "/v2/oauth-clients", body, type)
      const answer = (yield* Effect.promise(() => response.json())) as Answer<null>
      assert.strictEqual(response.status, status)
      assert.strictEqual(answer.status, "error")
      assert.isNotEmpty(answer.error.message)
      assert.deepStrictEqual(yield* count, before)
    }))

  it.effect.each([
    { id: "%00", status: 404 },
    { id: "%ED%A0%80", status: 404 },
    { id: "x".repeat(5000), status: 404 },
    { id: "..%2f..%2fetc", status: 404 },
    { id: "'%20OR%201=1", status: 404 }
  ])("finds nothing under the id $id", ({ id, status }) =>
    Effect.gen(function*() {
      const dev = yield* caller()
      const admin = yield* caller("admin")
      assert.strictEqual((yield* dev.raw("GET", `/v2/oauth-clients/${id}`)).status, status)
      assert.strictEqual((yield* dev.raw("DELETE", `/v2/oauth-clients/${id}/secrets/${id}`)).status, status)
      assert.strictEqual((yield* admin.raw("GET", `/v2/admin/oauth-clients/${id}`)).status, status)
    }))
})
