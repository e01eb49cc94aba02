import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Result } from "effect"
import { HttpServer } from "effect/http"
import { parse } from "node-html-parser"
import { catalogue } from "../../../src/domain/catalogue/BuiltInScope.ts"
import { builtIn } from "../../../src/domain/catalogue/Catalogue.ts"
import { EndpointPolicy, load } from "../../../src/domain/catalogue/EndpointPolicy.ts"
import { ScopeMapPages } from "../../../src/doors/docs/ScopeMapPages.ts"
import { scopeMapBody } from "../../../src/doors/docs/ScopeMapView.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { httpSender } from "../../support/HttpSender.ts"
import { written } from "../../support/Written.ts"

class Sender extends Context.Service<Sender, Effect.Success<ReturnType<typeof httpSender>>>()(
  "slotkey/test/doors/docs/ScopeMapPages.test/Sender"
) {}

const Sending = Layer.effect(Sender, httpSender(ScopeMapPages.pipe(Layer.provide(HttpServer.layerServices)))).pipe(
  Layer.provideMerge(EndpointPolicy.layer),
  Layer.provide(AppConfig.layerTest())
)

/** Page that a search shows, as a browser without JavaScript reads it. */
const search = Effect.fnUntraced(function*(q?: string) {
  const path = q === undefined ? "/docs/scopes" : `/docs/scopes?${new URLSearchParams({ q })}`
  const response = yield* (yield* Sender)(path)
  const document = parse(yield* Effect.promise(() => response.text()))
  const sections = document.querySelectorAll("section").filter((section) => section.querySelector(".operations"))
  return {
    response,
    document,
    status: document.querySelector("[role=status]")?.text ?? "",
    operations: document.querySelectorAll(".operations li"),
    scopes: document.querySelectorAll("section.scope h3").map(({ id }) => id),
    others: sections.flatMap((section) => section.querySelector("h2")?.id ?? []).filter((id) => !levels.includes(id))
  }
})

const levels = ["user", "team", "organization"]

layer(Sending)("the page of scopes", (it) => {
  it.effect("shows every operation once, by scope or by the reason why it needs none", () =>
    Effect.gen(function*() {
      const { document, operations, others, scopes, status } = yield* search()
      assert.sameMembers(scopes, [...catalogue])
      assert.deepStrictEqual(others, ["public", "legacy", "closed"])
      const { endpoints } = yield* EndpointPolicy
      assert.sameMembers(
        operations.map((item) => `${item.querySelector(".method")?.text} ${item.querySelector("code")?.text}`),
        endpoints.map(({ method, path }) => `${method} ${path}`)
      )
      assert.include(status, "46 scopes, 363 operations")
      assert.isNotNull(document.querySelector(".contents a[href='#TEAM_WORKFLOW_WRITE']"))
    }))

  it.effect("tells which scope a call needs, and the wider one that is enough", () =>
    Effect.gen(function*() {
      const { document, operations, scopes } = yield* search("GET /v2/teams/7/schedules")
      assert.lengthOf(operations, 1)
      assert.deepStrictEqual(scopes, ["TEAM_SCHEDULE_READ"])
      assert.include(document.querySelector("section.scope p")?.text, "ORG_SCHEDULE_READ is enough, too.")
    }))

  it.effect("tells why no app may call an operation", () =>
    Effect.gen(function*() {
      const { document, others, scopes } = yield* search("credits/charge")
      assert.deepStrictEqual([scopes, others], [[], ["closed"]])
      assert.include(document.querySelector(".operations li")?.text, "billing")
    }))

  it.effect("says at each scope of an operation of several which others it takes", () =>
    Effect.sync(() => {
      const { endpoints } = Result.getOrThrow(load(JSON.stringify([
        { method: "GET", path: "/either", access: "scope", anyOf: ["BOOKING_READ", "APPS_READ", "PROFILE_READ"] },
        { method: "GET", path: "/both", access: "scope-if-token", allOf: ["BOOKING_READ", "SCHEDULE_READ"] }
      ])))
      const page = parse(
        written(scopeMapBody({ catalogue: builtIn(), all: endpoints, found: endpoints, search: "GET" }))
      )
      const at = (scope: string) =>
        page.querySelector(`section[aria-labelledby=${scope}]`)?.querySelectorAll("li").map(({ text }) =>
          text.replaceAll(/\s+/g, " ")
        )
      assert.deepStrictEqual(at("APPS_READ"), ["GET /either or with PROFILE_READ or BOOKING_READ"])
      assert.deepStrictEqual(at("SCHEDULE_READ"), [
        "GET /both together with BOOKING_READ only of calls with a token; without one, anyone may"
      ])
      assert.lengthOf(at("BOOKING_READ") ?? [], 2)
      assert.include(page.text, "needs one scope, several, or none.")
    }))

  it.effect("says that what it does not find is closed", () =>
    Effect.gen(function*() {
      const { document, operations, status } = yield* search("<b>nothing</b>")
      assert.lengthOf(operations, 0)
      assert.include(status, "0 of 363 operations for “<b>nothing</b>”")
      assert.isNull(document.querySelector("b"))
      assert.include(document.querySelector(".empty")?.text, "not listed is closed")
    }))

  it.effect("has the header of the product and a way back, and may be kept", () =>
    Effect.gen(function*() {
      const { document, response } = yield* search()
      assert.strictEqual(document.querySelector("header.site .brand")?.getAttribute("href"), "/")
      assert.isNotNull(document.querySelector("header.site a[href='/docs'][aria-current]"))
      assert.isNotNull(document.querySelector("main a[href='/docs']"))
      assert.strictEqual(response.headers.get("cache-control"), "no-cache")
      assert.isNotNull(response.headers.get("etag"))
      assert.notInclude(document.toString(), "csrf")
    }))
})
