import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import { Budgets } from "../../../src/core/limits/Budgets.ts"
import { registration } from "../../core/clients/Fixture.ts"
import { limitedSubject } from "../../support/LimitedSubject.ts"
import { filled, secretIn } from "./Fixture.ts"
import { browser, caller, count, rowsOf, Services, visitor } from "./Scenario.ts"

layer(Services)("/settings/apps", (it) => {
  it.effect("sends visitors without a session to sign in, and changes nothing for them", () =>
    Effect.gen(function*() {
      const { get, post } = yield* browser()
      const page = yield* get("/settings/apps")
      assert.deepStrictEqual([page.status, page.location], [303, "/sign-in?return_to=%2Fsettings%2Fapps"])
      assert.strictEqual((yield* post("/settings/apps", filled)).status, 403)
    }))

  it.effect("is marked in the navigation, and so are the pages below it", () =>
    Effect.gen(function*() {
      const { get } = yield* visitor()
      const marks = (text: string) => [...text.matchAll(/href="([^"]+)" aria-current="true"/g)].map(([, href]) => href)
      assert.deepStrictEqual(marks((yield* get("/settings/apps?cursor=nonsense")).text), ["/settings/apps"])
      assert.deepStrictEqual(marks((yield* get("/settings/apps/new")).text), ["/settings/apps"])
    }))

  it.effect("answers 429 when the budget of the account is used up, and changes nothing", () =>
    Effect.gen(function*() {
      const dev = yield* visitor()
      const { spend } = yield* Budgets
      assert.strictEqual((yield* dev.post("/settings/apps", filled)).status, 200)
      yield* Effect.repeat(Effect.exit(spend("change", dev.account.id)), { until: Exit.isFailure })
      const before = yield* count
      const refused = yield* dev.post("/settings/apps", { ...filled, draft: "another" })
      assert.strictEqual(refused.status, 429)
      assert.strictEqual(refused.retryAfter, "3600")
      assert.include(refused.text, "Try again in 60 minutes.")
      assert.deepStrictEqual(yield* count, before)
      // What was made can always be taken away.
      const [app] = yield* (yield* ClientRegistry).listOwned(dev.account.id)
      const deleted = yield* dev.post(`/settings/apps/${app?.id}/delete`, { confirm: app?.name ?? "" })
      assert.strictEqual(deleted.status, 303)
    }))

  it.effect("counts what pages and API do for the network address, too", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const spent = Effect.map(
        sql<{ count: number }>`SELECT count FROM rate_limits
          WHERE subject = ${yield* limitedSubject("budget", "change", "address", "unknown")}`,
        ([row]) => row?.count ?? 0
      )
      const dev = yield* visitor()
      const before = yield* spent
      yield* dev.post("/settings/apps", filled)
      assert.strictEqual(yield* spent, before + 1)
      yield* (yield* caller()).call("POST", "/v2/oauth-clients", registration)
      assert.strictEqual(yield* spent, before + 2)
    }))

  it.effect("registers an app once, however often its form is sent, and shows its secret once", () =>
    Effect.gen(function*() {
      const dev = yield* visitor()
      const registry = yield* ClientRegistry
      assert.include((yield* dev.get("/settings/apps")).text, "You have no apps yet")
      const draft = /name="draft" value="([^"]+)"/.exec((yield* dev.get("/settings/apps/new")).text)?.[1] ?? ""
      const shown = yield* dev.post("/settings/apps", { ...filled, draft })
      assert.strictEqual(shown.status, 200)
      assert.isDefined(secretIn(shown.text))
      const [client, ...others] = yield* registry.listOwned(dev.account.id)
      assert.isEmpty(others)
      assert.deepStrictEqual(client?.redirectUris, ["https://app.example/callback", "http://localhost:3000/callback"])
      assert.deepStrictEqual(client?.scopes, ["BOOKING_READ", "PROFILE_READ"])

      const again = yield* dev.post("/settings/apps", { ...filled, draft })
      assert.strictEqual(again.location, `/settings/apps/${client?.id}`)
      assert.lengthOf(yield* registry.listOwned(dev.account.id), 1)
      const page = yield* dev.get(`/settings/apps/${client?.id}`)
      assert.include(page.text, "The app was registered by your first click.")
      assert.isUndefined(secretIn(page.text))
      const credentials = yield* dev.get(`/settings/apps/${client?.id}/credentials`)
      assert.include(credentials.text, `…${secretIn(shown.text)?.slice(-4)}`)
      assert.include((yield* dev.get("/settings/apps")).text, "Calendar Sync")
    }))

  it.effect("keeps what was entered, and says at each field what is wrong with it", () =>
    Effect.gen(function*() {
      const dev = yield* visitor()
      const { status, text } = yield* dev.post("/settings/apps", {
        name: "",
        purpose: "<b>bold</b>",
        website: "ftp://app.example",
        redirectUris: "https://a.example/\nhttps://b.example/\nhttp://c.example/",
        "scope:ORG_BOOKING_READ": "on"
      })
      assert.strictEqual(status, 400)
      assert.include(text, "Name must have 1 to 80 characters.")
      assert.include(text, "Website must be an absolute http or https address.")
      assert.include(text, "Line 3, <bdi>http://c.example/</bdi>: must be https")
      assert.include(text, "Choose one of the two.")
      assert.include(text, "&lt;b&gt;bold&lt;/b&gt;</textarea>")
      assert.include(text, "value=\"ftp://app.example\"")
      assert.match(text, /name="scope:ORG_BOOKING_READ" value="on" checked/)
      assert.notMatch(text, /name="scope:BOOKING_READ" value="on" checked/)
      assert.isEmpty(yield* rowsOf(dev.account.id))
    }))
})
