import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { registeredRoutes } from "../../support/Routes.ts"
import { hasTheWordsOfItsDoor } from "./Fixture.ts"
import * as Scenario from "./Scenario.ts"

layer(Scenario.layer)("every address", (it) => {
  it.effect("answers a method that no route of it has with 405, and names those that it has", () =>
    Effect.gen(function*() {
      const routes = (yield* registeredRoutes).map((route) => {
        const [method = "", path = ""] = route.split(" ")
        return { method, path: path.replace(/:\w+/g, "x"), pattern: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`) }
      })
      let asked = 0
      for (const path of new Set(routes.map(({ path }) => path))) {
        // A path such as /settings/apps/new is one of /settings/apps/:id, too.
        const taken = new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
        if (taken.has("*") || path.endsWith("*")) continue
        if (taken.has("GET")) taken.add("HEAD")
        for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"]) {
          if (taken.has(method)) continue
          const answer = yield* Scenario.ask(path, { method })
          const what = `${method} ${path}`
          assert.strictEqual(answer.status, 405, what)
          assert.sameMembers((answer.headers.get("allow") ?? "").split(", "), [...taken], what)
          const type = /^\/v2\/|^\/openapi\.json$|\/\.well-known\//.test(path) ? "application/json" : "text/html"
          assert.include(answer.headers.get("content-type"), type, what)
          asked++
        }
      }
      assert.isAbove(asked, 300)
    }))

  it.effect("that answers OPTIONS names its methods there, too, for whoever is no browser", () =>
    Effect.gen(function*() {
      for (
        const [path, methods] of [
          ["/v2/auth/oauth2/token", "POST, OPTIONS"],
          ["/v2/auth/oauth2/revoke", "POST, OPTIONS"],
          ["/v2/auth/oauth2/userinfo", "GET, HEAD, POST, OPTIONS"],
          ["/v2/me", "GET, HEAD, OPTIONS"],
          ["/.well-known/jwks.json", "GET, HEAD, OPTIONS"]
        ] as const
      ) {
        const { headers, status } = yield* Scenario.ask(path, { method: "OPTIONS" })
        assert.deepStrictEqual([status, headers.get("allow")], [204, methods], path)
      }
    }))

  it.effect("refuses a method in the form of its other errors", () =>
    Effect.gen(function*() {
      for (const path of ["token", "revoke", "introspect", "userinfo"]) {
        const refused = yield* Scenario.ask(`/v2/auth/oauth2/${path}`, { method: "PUT" })
        assert.strictEqual(refused.status, 405)
        assert.strictEqual(typeof refused.json["error"], path === "userinfo" ? "object" : "string", refused.text)
        assert.isTrue(hasTheWordsOfItsDoor(refused), refused.text)
      }
    }))

  it.effect("that no route has is not found, by any method", () =>
    Effect.gen(function*() {
      for (const method of ["GET", "POST", "OPTIONS", "QUERY"]) {
        for (const path of ["/v2/none", "/v2", "/none", "/.well-known/none"]) {
          const { headers, status } = yield* Scenario.ask(path, { method })
          assert.deepStrictEqual([status, headers.get("allow")], [404, null], `${method} ${path}`)
        }
      }
    }))
})
