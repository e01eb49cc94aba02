import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { make } from "../../src/domain/catalogue/Catalogue.ts"
import type { CatalogueFile } from "../../src/domain/catalogue/file/CatalogueFile.ts"
import * as Testing from "../../src/testing.ts"
import { small } from "../domain/catalogue/file/SmallCatalogue.ts"

/** The small catalogue with a scope that is retired two days after the tests begin, and asked for until the fifth. */
const retiring: CatalogueFile = {
  ...small,
  scopes: [
    ...small.scopes,
    {
      name: "crm",
      level: "own",
      access: "write",
      title: "Use the CRM",
      covers: "Lists and changes your contacts.",
      retired: { since: "1970-01-03", until: "1970-01-05", standsFor: ["contacts.write"] }
    }
  ]
}

const scopes = (text: string) => make(retiring).named(text).scopes

layer(Testing.TestServer.layer({ catalogue: retiring }), { timeout: "1 minute" })("A scope that is retired", (it) => {
  it.effect("goes on for who holds it, is asked for to its last day, and never again", () =>
    Effect.gen(function*() {
      const kit = yield* Testing.TestServer
      yield* kit.reset
      const app = yield* kit.app({ scopes: scopes("account.read crm") })
      const other = yield* kit.app({ scopes: scopes("account.read") })
      const [user, late] = [yield* kit.user(), yield* kit.user()]
      const tokens = yield* kit.tokens({ app, user })
      const statusOf = Effect.fnUntraced(function*(target: string, accessToken: string) {
        const headers = {
          "x-original-method": target.split(" ")[0] ?? "",
          "x-original-uri": target.split(" ")[1] ?? "",
          authorization: `Bearer ${accessToken}`
        }
        return (yield* kit.fetch("/v2/auth/oauth2/check/nginx", { headers })).status
      })
      assert.strictEqual(yield* statusOf("PUT /api/contacts/1", tokens.accessToken), 200)

      // The first moment of its first day.
      yield* kit.advance("2 days")
      const now = yield* kit.tokens({ app, user: late })
      assert.deepStrictEqual(now.scopes, scopes("account.read crm"))
      // What stands for it is asked for with it, and needs no new consent.
      const successor = yield* kit.authorize({ app, user, scopes: scopes("contacts.write") })
      assert.isUndefined(successor.error)
      const foreign = yield* kit.authorize({ app: other, user, scopes: scopes("crm") })
      assert.strictEqual(foreign.error, "invalid_scope")

      // The last moment of the last day, and the one after it.
      yield* kit.advance(Duration.subtract(Duration.days(3), Duration.millis(1)))
      assert.isUndefined((yield* kit.authorize({ app, user, scopes: scopes("account.read crm") })).error)
      yield* kit.advance("1 milli")
      const refused = yield* kit.authorize({ app, user: late, scopes: scopes("account.read crm") })
      assert.strictEqual(refused.error, "invalid_scope")
      assert.include(
        refused.location.searchParams.get("error_description"),
        `crm, retired and not to be asked for after 1970-01-05: use contacts.write instead`
      )
      const refreshed = yield* kit.refresh(now)
      assert.deepStrictEqual(refreshed.scopes, scopes("account.read crm"))
      assert.strictEqual(yield* statusOf("PUT /api/contacts/1", refreshed.accessToken), 200)
      assert.strictEqual(yield* statusOf("GET /api/contacts", refreshed.accessToken), 200)
      const replacing = yield* kit.tokens({ app, user: late, scopes: scopes("account.read contacts.write") })
      assert.deepStrictEqual(replacing.scopes, scopes("account.read contacts.write"))
    }))

  it.effect("is not what a legacy app moves to, but what stands for it", () =>
    Effect.gen(function*() {
      const kit = yield* Testing.TestServer
      yield* kit.reset
      const owner = yield* kit.user()
      const app = yield* kit.app({ legacy: true, owner })
      assert.isUndefined((yield* kit.authorize({ app, user: owner, scopes: scopes("crm") })).error)
      const path = `/settings/apps/${app.clientId}/migration`
      const page = Effect.fnUntraced(function*(cookie: string) {
        const response = yield* kit.fetch(path, { headers: { cookie } })
        return yield* Effect.promise(() => response.text())
      })
      assert.include(yield* page((yield* kit.session(owner)).cookie), "name=\"scope:crm\" value=\"on\" checked")

      // The session of a browser does not live for two days.
      yield* kit.advance("2 days")
      const session = yield* kit.session(owner)
      const later = yield* page(session.cookie)
      assert.include(later, "name=\"scope:contacts.write\" value=\"on\" checked")
      assert.notInclude(later, "name=\"scope:crm\"")

      const save = (fields: Readonly<Record<string, string>>) =>
        kit.submit(session, path, { version: "1", breakOldUrls: "on", ...fields })
      const refused = yield* save({ "scope:crm": "on" })
      assert.strictEqual(refused.status, 400)
      assert.include(
        (yield* Effect.promise(() => refused.text())).replaceAll(/<\/?(bdi|code)>/g, ""),
        "must not name crm, retired since 1970-01-03: use contacts.write instead."
      )
      const objected = yield* save({ "scope:contacts.write": "on", breakOldUrls: "" })
      assert.strictEqual(objected.status, 409)
      assert.include(
        yield* Effect.promise(() => objected.text()),
        "Retired from 1970-01-03 on. Use <code>contacts.write</code> instead."
      )
      assert.strictEqual((yield* save({ "scope:contacts.write": "on" })).status, 303)
    }))

  it.effect("is in no list from which apps choose, and explained where developers look", () =>
    Effect.gen(function*() {
      const kit = yield* Testing.TestServer
      const text = Effect.fnUntraced(function*(path: string) {
        const response = yield* kit.fetch(path)
        return yield* Effect.promise(() => response.text())
      })
      const lists = { scopes_supported: small.scopes.map(({ name }) => name) }
      assert.deepInclude(JSON.parse(yield* text("/.well-known/oauth-authorization-server")), lists)
      const document = yield* text("/openapi.json")
      assert.notInclude(document, "\"crm\":\"Use the CRM\"")
      assert.include(document, "\"enum\":[\"account.read\",\"contacts.read\",\"contacts.write\",\"members\",\"crm\"]")
      const page = yield* text("/docs/scopes")
      assert.include(page, `Retired from 1970-01-03 on: use contacts.write instead.`)
      assert.include(page, "<code>crm</code> Use the CRM")
      assert.notInclude(page, "<code>crm</code></a> is enough, too.")
    }))

  it.effect("is shown to the reviewer of an app that has it, and tried on the playground to its last day", () =>
    Effect.gen(function*() {
      const kit = yield* Testing.TestServer
      yield* kit.reset
      const owner = yield* kit.user()
      const admin = yield* kit.user({ role: "admin" })
      const redirectUri = `${kit.url}/playground/callback`
      const { clientId } = yield* kit.app({ owner, redirectUri, scopes: scopes("account.read crm") })
      const shown = Effect.fnUntraced(function*(path: string, visitor: typeof owner) {
        const { cookie } = yield* kit.session(visitor)
        const response = yield* kit.fetch(path, { headers: { cookie } })
        return yield* Effect.promise(() => response.text())
      })
      assert.include(
        yield* shown(`/review/${clientId}`, admin),
        "Retired from 1970-01-03 on. Use <code>contacts.write</code> instead."
      )
      assert.include(yield* shown(`/playground?app=${clientId}`, owner), "account.read%20crm")
      yield* kit.advance("5 days")
      const late = yield* shown(`/playground?app=${clientId}`, owner)
      assert.include(late, "name=\"scope:account.read\"")
      assert.notInclude(late, "crm")
    }))
})
