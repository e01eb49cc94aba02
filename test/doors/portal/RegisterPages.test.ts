import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import * as RedirectUri from "../../../src/core/clients/records/RedirectUri.ts"
import { Budgets } from "../../../src/core/limits/Budgets.ts"
import { allowed } from "../../../src/doors/portal/AddressFieldsView.ts"
import { registration as input } from "../../core/clients/Fixture.ts"
import { limitedSubject } from "../../support/LimitedSubject.ts"
import { draft, filled, registration, secretIn } from "./Fixture.ts"
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
      for (const path of Object.values(registration)) {
        assert.deepStrictEqual(marks((yield* get(path)).text), ["/settings/apps"])
      }
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
      yield* (yield* caller()).call("POST", "/v2/oauth-clients", input)
      assert.strictEqual(yield* spent, before + 2)
    }))

  it.effect("registers an app once, however often its form is sent, and shows its secret once", () =>
    Effect.gen(function*() {
      const dev = yield* visitor()
      const registry = yield* ClientRegistry
      assert.include((yield* dev.get("/settings/apps")).text, "You have no apps yet")
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

  it.effect("goes page by page, keeps what was entered, and says at each field what is wrong with it", () =>
    Effect.gen(function*() {
      const dev = yield* visitor()
      const start = yield* dev.get("/settings/apps/new")
      assert.match(start.location ?? "", /^\/settings\/apps\/new\?draft=[\da-f-]{36}$/)
      const what = { draft, purpose: "<b>bold</b>", website: "ftp://app.example" }
      const first = yield* dev.post("/settings/apps/new", what)
      assert.strictEqual(first.status, 400)
      assert.include(first.text, "Name must have 1 to 80 characters.")
      assert.include(first.text, "Website must be an absolute http or https address.")
      assert.include(first.text, "&lt;b&gt;bold&lt;/b&gt;</textarea>")
      assert.include(first.text, "value=\"ftp://app.example\"")
      // What is not on the page is not asked for yet.
      assert.notInclude(first.text, "Choose one of the two.")
      const second = yield* dev.post("/settings/apps/new", { ...what, name: "Clock", website: "https://app.example" })
      assert.deepStrictEqual([second.status, second.location], [303, registration.where])

      const addresses = { draft, "redirectUris.0": "https://a.example/", "redirectUris.1": "http://c.example/" }
      const third = yield* dev.post("/settings/apps/new/addresses", addresses)
      assert.strictEqual(third.status, 400)
      assert.include(third.text, "Choose one of the two.")
      assert.match(third.text, /id="redirectUris.1-note" class="error">Redirect address 2 must be https/)
      const more = yield* dev.post("/settings/apps/new/addresses", { ...addresses, kind: "public", go: "more" })
      assert.strictEqual(more.location, `${registration.where}&more=1`)
      assert.match((yield* dev.get(more.location ?? "")).text, /name="redirectUris\.2"[^>]*autofocus/)
      const back = yield* dev.post("/settings/apps/new/addresses", { ...addresses, go: "back" })
      assert.strictEqual(back.location, registration.what)
      assert.include((yield* dev.get(registration.what)).text, "name=\"name\" type=\"text\" value=\"Clock\"")
      assert.include((yield* dev.get(registration.where)).text, "value=\"http://c.example/\"")

      // The last page shows the page of what is wrong, whichever that is.
      const scopes = { draft, "scope:ORG_BOOKING_READ": "on" }
      const last = yield* dev.post("/settings/apps", scopes)
      assert.strictEqual(last.status, 400)
      assert.include(last.text, "Redirect address 2 must be https")
      const kept = (yield* dev.get(registration.may)).text
      assert.match(kept, /name="scope:ORG_BOOKING_READ" value="on" checked/)
      assert.notMatch(kept, /name="scope:BOOKING_READ" value="on" checked/)
      assert.isEmpty(yield* rowsOf(dev.account.id))

      yield* dev.post("/settings/apps/new/addresses", { draft, kind: "public", redirectUris: "https://a.example/" })
      const done = yield* dev.post("/settings/apps", scopes)
      assert.strictEqual(done.status, 303)
      const [client] = yield* (yield* ClientRegistry).listOwned(dev.account.id)
      assert.deepInclude(client, {
        name: "Clock",
        purpose: "<b>bold</b>",
        kind: "public",
        scopes: ["ORG_BOOKING_READ"]
      })
      // A page of the draft that somebody goes back to leads to the app, and begins no other.
      const again = yield* dev.post("/settings/apps/new", { ...what, name: "Another" })
      assert.strictEqual(again.location, `/settings/apps/${client?.id}`)
      assert.notInclude((yield* dev.get("/settings/apps")).text, "Go on with")
    }))

  it.effect("lists what was begun, and forgets it when it is told to; nobody else sees it", () =>
    Effect.gen(function*() {
      const dev = yield* visitor()
      const other = yield* visitor()
      yield* dev.post("/settings/apps/new", { draft, name: "Wall & Clock", go: "later" })
      const listed = (yield* dev.get("/settings/apps")).text
      assert.include(listed, "The draft is kept")
      assert.include(listed, `href="${registration.what}"`)
      assert.include(listed, "<bdi>Wall &amp; Clock</bdi>")
      assert.notInclude((yield* other.get("/settings/apps")).text, "Clock")
      assert.notInclude((yield* other.get(registration.what)).text, "Clock")
      yield* other.post("/settings/apps/new/discard", { draft })
      assert.include((yield* dev.get("/settings/apps")).text, "Go on with")
      yield* dev.post("/settings/apps/new/discard", { draft })
      assert.notInclude((yield* dev.get("/settings/apps")).text, "Go on with")
    }))

  it.effect("finds scopes by what an app does, and keeps what was chosen", () =>
    Effect.gen(function*() {
      const dev = yield* visitor()
      const search = (q: string) =>
        Effect.flatMap(
          dev.post("/settings/apps/new/scopes", { draft, "scope:WEBHOOK_READ": "on", go: "search", q }),
          ({ location }) => dev.get(location ?? "")
        )
      const boxes = (text: string) => [...text.matchAll(/name="scope:([A-Z_]+)"/g)].map(([, scope]) => scope)
      const confirm = (yield* search("confirm booking")).text
      assert.includeMembers(boxes(confirm), ["BOOKING_WRITE", "WEBHOOK_READ"])
      assert.notInclude(boxes(confirm), "BOOKING_READ")
      assert.match(confirm, /name="scope:WEBHOOK_READ" value="on" checked/)
      // Cancelling is public (specification §2.3).
      const cancel = (yield* search("cancel booking")).text
      assert.include(cancel, "/v2/bookings/{bookingUid}/cancel")
      assert.include(cancel, "no scope")
    }))

  it("shows addresses as allowed that the rules allow, and no others", () => {
    for (const [kind, example] of Object.entries(allowed)) {
      assert.isEmpty(RedirectUri.faultsOf("public", [example]))
      assert.strictEqual(RedirectUri.faultsOf("confidential", [example]).length > 0, kind === "scheme", example)
    }
  })
})
