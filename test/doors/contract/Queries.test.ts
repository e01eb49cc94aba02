import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { builtIn } from "../../../src/domain/catalogue/Catalogue.ts"
import { exampleOf } from "../../../src/doors/docs/Examples.ts"
import { newAccount, newClient } from "../../core/clients/Scenario.ts"
import * as TestServer from "../../support/TestServer.ts"
import { operations } from "./Fixture.ts"

const administrator = Effect.gen(function*() {
  const { ask } = yield* TestServer.serverClient
  const account = yield* newAccount("admin", "admin")
  const { key } = yield* (yield* ApiKeys).create(account, "test", account)
  const headers = { authorization: `Bearer ${Redacted.value(key)}` }
  return (path: string, method = "GET") => ask(path, { method, headers })
})

const withQuery = operations.filter(({ operation: { parameters, security } }) =>
  parameters.some((parameter) => parameter.in === "query") && security.some((requirement) => "apiKey" in requirement)
)

layer(TestServer.layer(), { excludeTestServices: true })("a query of the management API", (it) => {
  it.effect.each(withQuery)(
    "with a parameter that is not known is refused ($name)",
    ({ method, operation, path }) =>
      Effect.gen(function*() {
        const required = operation.parameters.filter(({ in: place, required }) => place === "query" && required)
        const query = [...required.map(({ name }) => `${name}=json`), "misspelt=1"].join("&")
        const { status, text } = yield* (yield* administrator)(`${path}?${query}`, method.toUpperCase())
        assert.strictEqual(status, 400, text)
        assert.include(text, "\"path\":\"misspelt\"")
      })
  )

  it.effect.each(withQuery)(
    "with a parameter that comes twice is refused by its name ($name)",
    ({ method, operation, path }) =>
      Effect.gen(function*() {
        const call = yield* administrator
        for (const { name } of operation.parameters.filter(({ in: place }) => place === "query")) {
          const { json, status } = yield* call(`${path}?${name}=1&${name}=2`, method.toUpperCase())
          assert.strictEqual(status, 400, name)
          assert.deepInclude(Object(json["error"]).details, { path: name, message: "may come only once" })
        }
        const unknown = yield* call(`${path}?misspelt=1&misspelt=2`, method.toUpperCase())
        assert.deepInclude(Object(unknown.json["error"]).details, {
          path: "misspelt",
          message: "is not a known field"
        })
      })
  )

  it.effect("finds nothing on a page after the last, so that who counts up comes to an end", () =>
    Effect.gen(function*() {
      const call = yield* administrator
      const users = yield* call("/v2/admin/users?page=9999")
      assert.deepInclude(users.json["data"], { users: [], page: 9999, pages: 1 })
      const apps = yield* call("/v2/admin/oauth-clients?state=all&page=9999")
      assert.deepInclude(apps.json["data"], { clients: [], page: 9999 })
      assert.deepInclude((yield* call("/v2/admin/users?page=1")).json["data"], { page: 1, pages: 1 })
    }))
})

layer(TestServer.layer(), { excludeTestServices: true })("a page of another origin", (it) => {
  it.effect("reads the reference, and that an address of the API is not there", () =>
    Effect.gen(function*() {
      const { ask } = yield* TestServer.serverClient
      for (const [path, status] of [["/openapi.json", 200], ["/v2/nowhere", 404]] as const) {
        const answer = yield* ask(path)
        assert.deepStrictEqual([answer.status, answer.headers.get("access-control-allow-origin")], [status, "*"], path)
      }
      const mine = yield* ask("/v2/oauth-clients")
      assert.deepStrictEqual([mine.status, mine.headers.get("access-control-allow-origin")], [401, null])
    }))
})

layer(TestServer.layer(), { excludeTestServices: true })("an id in a path of the management API", (it) => {
  const ofOne = operations.filter(({ operation: { security }, path }) =>
    path.includes("{") && security.some((requirement) => "apiKey" in requirement)
  )
  it.effect.each(ofOne)(
    "that can be none is not found, whatever it is of ($name)",
    ({ method, name, path }) =>
      Effect.gen(function*() {
        const { ask } = yield* TestServer.serverClient
        const account = yield* newAccount("admin", "admin")
        const { key } = yield* (yield* ApiKeys).create(account, "test", account)
        const { client } = yield* newClient(account)
        const own = path.replace(/\{id\}(?=\/secrets\/)/, client.id)
        const body = exampleOf(builtIn(), method, path)?.request.json
        for (const id of ["nobody", "%00", "%20", "'", "%F0%9F%94%91", "..%2f..", "x".repeat(99)]) {
          const { json, status, text } = yield* ask(own.replace(/\{\w+\}/, id), {
            method: method.toUpperCase(),
            headers: { authorization: `Bearer ${Redacted.value(key)}`, "content-type": "application/json" },
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          })
          assert.strictEqual(status, 404, `${name} with ${id}: ${text}`)
          assert.match(
            Object(json["error"]).code,
            /^(client|secret|account|api_key|test_app|resource|invitation|initial_token)_not_found$|^host_not_trusted$/,
            text
          )
        }
      })
  )
})
