import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { registration } from "../../core/clients/Fixture.ts"
import * as Clients from "../../core/clients/Scenario.ts"
import { filled } from "./Fixture.ts"
import { type App, caller, rowsOf, Services, visitor } from "./Scenario.ts"

const said = {
  tagline: "Keeps two calendars in step.",
  privacyUrl: "https://app.example/privacy",
  termsUrl: "https://app.example/terms",
  contact: "help@app.example"
}
const optional = (scope: string) => `name="optional:${scope}" value="on"`

layer(Services)("What an app says of itself, and its optional scopes,", (it) => {
  it.effect("are entered in its form, and come back in the form of an edit", () =>
    Effect.gen(function*() {
      const dev = yield* visitor()
      const registry = yield* ClientRegistry
      const empty = (yield* dev.get("/settings/apps/new")).text
      assert.include(empty, optional("PROFILE_READ"))
      assert.notInclude(empty, `${optional("PROFILE_READ")} checked`)
      assert.isBelow(empty.length, 30_000)
      // The mark of a scope that is not chosen means nothing.
      const marks = { "optional:PROFILE_READ": "on", "optional:SCHEDULE_READ": "on" }
      const sent = yield* dev.post("/settings/apps", { ...filled, ...said, ...marks })
      assert.strictEqual(sent.status, 200)
      const [client] = yield* registry.listOwned(dev.account.id)
      const { contact, privacyUrl, tagline, termsUrl } = client ?? {}
      assert.deepStrictEqual({ contact, privacyUrl, tagline, termsUrl }, said)
      assert.deepStrictEqual(client?.optionalScopes, ["PROFILE_READ"])

      const path = `/settings/apps/${client?.id}`
      const { text: settings } = yield* dev.get(`${path}/settings`)
      for (const value of Object.values(said)) assert.include(settings, `value="${value}"`)
      const { text } = yield* dev.get(`${path}/scopes`)
      assert.include(text, `${optional("PROFILE_READ")} checked`)
      assert.notInclude(text, `${optional("BOOKING_READ")} checked`)

      const emptied = yield* dev.post(path, { ...filled, tagline: "", contact: "", version: "1" })
      assert.strictEqual(emptied.status, 303)
      yield* dev.post(`${path}/scopes`, { ...filled, version: "2" })
      const after = yield* registry.getOwned(dev.account.id, client?.id ?? "")
      assert.deepStrictEqual([after.tagline, after.contact, after.privacyUrl], [null, null, null])
      assert.deepStrictEqual(after.optionalScopes, [])
    }))

  it.effect("come back with what is wrong with them", () =>
    Effect.gen(function*() {
      const dev = yield* visitor()
      const { "scope:BOOKING_READ": _, ...form } = filled
      const { status, text } = yield* dev.post("/settings/apps", {
        ...form,
        tagline: "x".repeat(121),
        privacyUrl: "http://app.example/privacy",
        termsUrl: "terms",
        contact: "help@app.example?bcc=all@app.example",
        "optional:PROFILE_READ": "on"
      })
      assert.strictEqual(status, 400)
      assert.include(text, "Tagline must have 1 to 120 characters.")
      assert.include(text, "Privacy policy must be an https address.")
      assert.include(text, "Terms of service must be an https address.")
      assert.include(text, "Contact must be an email address or an https address.")
      assert.include(text, "The app must leave at least one scope required.")
      assert.include(text, `${optional("PROFILE_READ")} checked`)

      const within = {
        "scope:ORG_BOOKING_READ": "on",
        "scope:TEAM_BOOKING_READ": "on",
        "optional:TEAM_BOOKING_READ": "on"
      }
      assert.include(
        (yield* dev.post("/settings/apps", { ...form, ...within })).text.replaceAll(/<\/?bdi>/g, ""),
        "The app must not have TEAM_BOOKING_READ as optional: ORG_BOOKING_READ, which is required, includes it."
      )
      assert.isEmpty(yield* rowsOf(dev.account.id))
    }))

  it.effect("are not on the page on which a legacy app moves to scopes, and stay with a change of it that waits", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const dev = yield* visitor()
      const admin = yield* visitor("admin")
      const registry = yield* ClientRegistry
      const { id } = yield* Clients.approvedClient(dev.account.id, admin.account.id)
      yield* sql`UPDATE clients SET legacy = true, scopes = '{}' WHERE id = ${id}`
      assert.notInclude((yield* dev.get(`/settings/apps/${id}/migration`)).text, "name=\"optional:")
      const scopes = ["TEAM_BOOKING_READ", "PROFILE_READ"]
      const edit = { scopes, optionalScopes: ["PROFILE_READ"], breakOldUrls: true }
      const { change, version } = yield* registry.edit(dev.account.id, id, edit)
      assert.deepStrictEqual(change?.optionalScopes, ["PROFILE_READ"])
      yield* dev.post(`/settings/apps/${id}`, { ...filled, name: "Other", version: String(version) })
      const after = yield* registry.getOwned(dev.account.id, id)
      assert.strictEqual(after.change?.name, "Other")
      assert.deepStrictEqual(after.change?.optionalScopes, ["PROFILE_READ"])
    }))

  it.effect("are named in the API as they are kept", () =>
    Effect.gen(function*() {
      const dev = yield* caller()
      const refused = yield* dev.call("POST", "/v2/oauth-clients", {
        ...registration,
        name: " ",
        tagline: "Two\nlines",
        contact: "tel:1",
        optionalScopes: ["NO_SCOPE"]
      })
      assert.deepStrictEqual([refused.status, refused.body.error.details], [400, [
        { path: "name", message: "must have 1 to 80 characters" },
        { path: "tagline", message: "must be one line" },
        { path: "contact", message: "must be an email address or an https address" },
        { path: "optionalScopes.0", message: "is not a scope of the catalogue" }
      ]])
      const foreign = yield* dev.call("POST", "/v2/oauth-clients", {
        ...registration,
        optionalScopes: ["PROFILE_READ", "SCHEDULE_READ"]
      })
      assert.deepStrictEqual(foreign.body.error.details, [
        { path: "optionalScopes.1", message: "must not name SCHEDULE_READ: it is not among the scopes of the app" }
      ])
      const input = { ...registration, ...said, optionalScopes: ["PROFILE_READ"] }
      const { body, status } = yield* dev.call<App>("POST", "/v2/oauth-clients", input)
      assert.strictEqual(status, 201)
      assert.deepInclude(body.data, { ...said, optionalScopes: ["PROFILE_READ"] } as never)
      const narrowed = yield* dev.call<App>("PATCH", `/v2/oauth-clients/${body.data.id}`, { scopes: ["BOOKING_READ"] })
      assert.deepInclude(narrowed.body.data, { ...said, scopes: ["BOOKING_READ"], optionalScopes: [] } as never)
    }))

  it.effect("are judged by a reviewer: what users give more of, and what they read", () =>
    Effect.gen(function*() {
      const dev = yield* visitor()
      const admin = yield* visitor("admin")
      const review = yield* ClientReview
      const { client } = yield* Clients.newClient(dev.account.id, { ...said, optionalScopes: ["PROFILE_READ"] })
      const path = `/review/${client.id}`
      const { text } = yield* admin.get(path)
      for (const value of Object.values(said)) assert.include(text, value)
      assert.include(text, "href=\"mailto:help@app.example\"")
      assert.match(text, /<code>PROFILE_READ<\/code> <small[^>]*>optional: users may decline it/)
      assert.notMatch(text, /<code>BOOKING_READ<\/code> <small/)

      yield* review.approve(admin.account.id, client.id, 1)
      const edit = { tagline: null, optionalScopes: [], scopes: ["BOOKING_READ", "PROFILE_READ", "SCHEDULE_READ"] }
      yield* (yield* ClientRegistry).edit(dev.account.id, client.id, edit)
      for (const page of [yield* admin.get(path), yield* dev.get(`/settings/apps/${client.id}`)]) {
        assert.include(page.text.replaceAll("<wbr>", ""), `<del><bdi>${said.tagline}</bdi></del>`)
        assert.match(page.text, /<del><bdi>PROFILE<wbr>_READ<\/bdi><\/del> <small>required from now on<\/small>/)
      }
    }))
})
