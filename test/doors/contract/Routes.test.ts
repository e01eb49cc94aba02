import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Testing from "../../../src/testing.ts"
import { registeredRoutes } from "../../support/Routes.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { operations } from "./Fixture.ts"

/** Routes outside the contract, with the reason. */
const beside: ReadonlyArray<readonly [reason: string, routes: RegExp]> = [
  ["preflights of browsers", /^OPTIONS /],
  [
    "the metadata once more, at the address of an issuer with a path",
    /^GET \/(\.well-known\/(oauth-authorization-server|openid-configuration)\/[a-z]+|issuer\/\.well-known\/openid-configuration)$/
  ],
  ["the metadata of resources, wherever they are", /^GET \/\.well-known\/oauth-protected-resource\/:first\/\*$/],
  ["the questions of gateways about a resource", /^\* \/v2\/auth\/oauth2\/check\/resources\/:id\//],
  ["forms of the consent page", /^POST \/auth\/oauth2\/(decision|switch-account)$/],
  ["pages: a report of an app, from its consent page", /^(GET|POST) \/auth\/oauth2\/report$/],
  ["pages: waiting for the review of an app", /^(GET|POST) \/auth\/oauth2\/waiting\/:id(\/(ask|back))?$/],
  ["pages: invitations to test apps", /^POST \/connections\/tests\/:id\/(accept|decline|leave)$/],
  [
    "pages: local accounts by mail",
    /^(GET|POST) \/(confirm-address|forgotten-password|invitation|reset-password)$/
  ],
  ["pages: front page, sign-in, set-up and what follows it", /^(GET|POST) \/(sign-in|sign-out|setup|what-next)?$/],
  ["the way back to what waits for a sign-in", /^GET \/continue\/:id$/],
  ["pages: the account", /^(GET|POST) \/account(\/|$)/],
  ["pages: the developer's apps", /^(GET|POST) \/settings\/apps(\/|$)/],
  ["pages: resources, for administrators", /^(GET|POST) \/resources(\/|$)/],
  ["pages: the users, for administrators", /^(GET|POST) \/users(\/|$)/],
  ["pages: samples of what users see, for administrators", /^GET \/looks(\/:id)?$/],
  ["pages: the review", /^(GET|POST) \/review(\/|$)/],
  ["pages: the playground", /^(GET|POST) \/playground(\/|$)/],
  ["the contract itself, for people and for programs", /^GET \/(docs|docs\/scopes|openapi\.json)$/],
  ["pictures of apps", /^GET \/logos\/:digest$/],
  ["stylesheets, scripts and the icon of the pages", /^GET \/(assets\/[0-9a-f]{12}-[a-z.]+|favicon\.ico)$/]
]

const Server = Testing.layer({ ISSUER: "https://slotkey.test/issuer", BASE_URL: "https://slotkey.test/api" }).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

layer(Server)("every route", (it) => {
  it.effect("is in the contract, or in the list of those that are not, and all of both are routes", () =>
    Effect.gen(function*() {
      const routes = yield* registeredRoutes
      const documented = operations.map(({ name }) => name.replaceAll(/\{(\w+)\}/g, ":$1"))
      // The document describes a wildcard by one operation for each method, and its end by a parameter.
      const isDocumented = (route: string) => {
        const [method = "", path = ""] = route.replace(/\/\*$/, "/:call").split(" ")
        return documented.some((name) => method === "*" ? name.endsWith(` ${path}`) : name === `${method} ${path}`)
      }
      const isBeside = (route: string) => beside.some(([, routes]) => routes.test(route))

      assert.deepStrictEqual(routes.filter((route) => !isDocumented(route) && !isBeside(route)), [])
      assert.deepStrictEqual(routes.filter((route) => isDocumented(route) && isBeside(route)), [])
      assert.deepStrictEqual(beside.filter(([, pattern]) => !routes.some((route) => pattern.test(route))), [])
      const served = new Set(routes.map((route) => route.replace(/\/\*$/, "/:call")))
      assert.deepStrictEqual(
        documented.filter((name) => !served.has(name) && !served.has(name.replace(/^\w+/, "*"))),
        []
      )
    }))
})
