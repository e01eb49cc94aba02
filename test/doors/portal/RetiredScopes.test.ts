import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { Catalogue } from "../../../src/domain/catalogue/Catalogue.ts"
import { cookieName } from "../../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { registration } from "../../core/clients/Fixture.ts"
import { retiring } from "../../domain/catalogue/RetiringCatalogue.ts"
import { filled } from "./Fixture.ts"
import { type App, browser, caller, count, Services, visitor } from "./Scenario.ts"

const [dayBefore, firstDay, afterLastDay] = [
  "2026-12-31T23:59:59.999Z",
  "2027-01-01T00:00:00.000Z",
  "2027-02-01T00:00:00.000Z"
] as const
const setTime = (instant: string) => TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(instant)))

const { "scope:BOOKING_READ": _, "scope:PROFILE_READ": __, ...fields } = filled

const box = (scope: string) => `name="scope:${scope}"`
const note =
  "Retired from 2027-01-01 on. Use <code>contacts.read</code> and <code>contacts.write</code> instead. Apps that have it may ask"
const refusal = "must not name crm, retired since 2027-01-01: use contacts.read and contacts.write instead"
const refusalOnPages = "The app must not name <bdi>crm</bdi>, retired since <bdi>2027-01-01</bdi>: " +
  "use <bdi>contacts.read</bdi> and <bdi>contacts.write</bdi> instead."

layer(Services.pipe(Layer.provideMerge(Layer.succeed(Catalogue, retiring))))("A retired scope", (it) => {
  it.effect("is on the form of a new app to the last moment before its day, with what is to become of it", () =>
    Effect.gen(function*() {
      yield* setTime(dayBefore)
      const dev = yield* visitor()
      const before = yield* dev.get("/settings/apps/new")
      assert.include(before.text, box("crm"))
      assert.include(before.text, note)
      yield* setTime(firstDay)
      const after = yield* dev.get("/settings/apps/new")
      assert.notInclude(after.text, box("crm"))
      assert.include(after.text, box("contacts.read"))
    }))

  it.effect("comes back with words about it in a form that was open over midnight, and nothing is kept", () =>
    Effect.gen(function*() {
      yield* setTime(firstDay)
      const dev = yield* visitor()
      const before = yield* count
      const sent = yield* dev.post("/settings/apps", { ...fields, "scope:crm": "on" })
      assert.strictEqual(sent.status, 400)
      assert.include(sent.text, refusalOnPages)
      assert.include(sent.text, box("crm"))
      assert.deepStrictEqual(yield* count, before)
    }))

  it.effect("is on the form of an app that has it, which keeps it, and on no other", () =>
    Effect.gen(function*() {
      yield* setTime(dayBefore)
      const dev = yield* visitor()
      const admin = yield* visitor("admin")
      const { approve } = yield* ClientReview
      const register = Effect.fnUntraced(function*(name: string, ...scopes: ReadonlyArray<string>) {
        const boxes = Object.fromEntries(scopes.map((scope) => [`scope:${scope}`, "on"]))
        const page = yield* dev.post("/settings/apps", { ...fields, name, draft: name, ...boxes })
        const id = /slk_client_[A-Za-z0-9_]+/.exec(page.text)?.[0] ?? ""
        yield* approve(admin.account.id, id, 1)
        return `/settings/apps/${id}`
      })
      const has = yield* register("Has It", "contacts.read", "crm")
      const lacks = yield* register("Lacks It", "contacts.read")

      yield* setTime(firstDay)
      const scopesOf = (app: string) => dev.get(`${app}/scopes`)
      const page = yield* scopesOf(has)
      assert.include(page.text, `${box("crm")} value="on" checked`)
      assert.include(page.text, note)
      assert.notInclude((yield* scopesOf(lacks)).text, box("crm"))
      const kept = yield* dev.post(`${has}/scopes`, { version: "2", "scope:crm": "on" })
      assert.strictEqual(kept.status, 303)
      assert.include((yield* scopesOf(has)).text, `${box("crm")} value="on" checked`)
      const added = yield* dev.post(`${lacks}/scopes`, {
        version: "2",
        "scope:contacts.read": "on",
        "scope:crm": "on"
      })
      assert.strictEqual(added.status, 400)
      assert.include(added.text, refusalOnPages)

      // Addresses to copy have it as long as users may be asked for it.
      assert.include((yield* dev.get(`${has}/credentials`)).text, "scope=crm&amp;")
      yield* setTime(afterLastDay)
      const session = Redacted.value(yield* (yield* Sessions).start(dev.account.id))
      const late = yield* browser(`${cookieName(yield* AppConfig)}=${session}`)
      assert.notInclude((yield* late.get(`${has}/credentials`)).text, "scope=crm&amp;")
      assert.include((yield* late.get(`${has}/scopes`)).text, box("crm"))
    }))

  it.effect("is told by the API with all else that is wrong, and changes nothing", () =>
    Effect.gen(function*() {
      yield* setTime(firstDay)
      const dev = yield* caller()
      const before = yield* count
      const refused = yield* dev.call<App>("POST", "/v2/oauth-clients", {
        ...registration,
        name: "",
        scopes: ["contacts.read", "crm", "BOOKING_READ"],
        website: "app.example"
      })
      assert.strictEqual(refused.status, 400)
      assert.sameDeepMembers([...refused.body.error.details], [
        { path: "name", message: "must have 1 to 80 characters" },
        { path: "website", message: "must be an absolute http or https address" },
        { path: "scopes.1", message: refusal },
        { path: "scopes.2", message: "is not a scope of the catalogue" }
      ])
      assert.deepStrictEqual(yield* count, before)

      const made = yield* dev.call<App>("POST", "/v2/oauth-clients", { ...registration, scopes: ["contacts.read"] })
      const path = `/v2/oauth-clients/${made.body.data.id}`
      const edited = yield* dev.call<App>("PATCH", path, { name: "", scopes: ["contacts.read", "nothing"] })
      assert.sameDeepMembers([...edited.body.error.details], [
        { path: "name", message: "must have 1 to 80 characters" },
        { path: "scopes.1", message: "is not a scope of the catalogue" }
      ])
      const adds = yield* dev.call<App>("PATCH", path, { scopes: ["contacts.read", "crm"] })
      assert.deepStrictEqual([...adds.body.error.details], [{ path: "scopes.1", message: refusal }])
    }))
})
