import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import { UsageReports } from "../../../src/core/usage/UsageReports.ts"
import type { ClientId, UserId } from "../../../src/domain/Ids.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as Clients from "../../core/clients/Scenario.ts"
import { caller, Services, visitor } from "../portal/Scenario.ts"

const held = ["BOOKING_READ", "PROFILE_READ", "ORG_BOOKING_READ", "ORG_MEMBERSHIP_WRITE"] as const

/** A reviewer, in a browser and by API, and a developer, long after the beginning of time. */
const people = Effect.gen(function*() {
  yield* TestClock.adjust("20 weeks")
  return { admin: yield* visitor("admin"), api: yield* caller("reviewer"), dev: yield* visitor() }
})

/** Calls of an app on a day, added up. */
const called = Effect.fnUntraced(function*(id: ClientId, need: string, calls: number) {
  const sql = yield* SqlClient.SqlClient
  const day = DateTime.formatIsoDateUtc(yield* DateTime.now)
  yield* sql`INSERT INTO client_needs (client_id, day, need, outcome, calls)
    VALUES (${id}, ${day}::text::date, ${need}, 'allowed', ${calls})`
})

/** An app that was approved five weeks ago, has used two of its scopes since, and asks for another. */
const changed = Effect.fnUntraced(function*(owner: UserId, admin: UserId) {
  const { id } = yield* Clients.approvedClient(owner, admin, { scopes: held })
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE clients SET reviewed_at = reviewed_at - interval '5 weeks' WHERE id = ${id}`
  yield* called(id, "BOOKING_READ", 412)
  yield* called(id, "PROFILE_READ", 1)
  const registry = yield* ClientRegistry
  yield* Effect.orDie(registry.edit(owner, id, { scopes: [...held, "BOOKING_WRITE"] }))
  return id
})

interface Use {
  readonly use: unknown
}

layer(Services)("A reviewer", (it) => {
  it.effect("reads what a change asks for against what its app uses, on its page, in the queue and by API", () =>
    Effect.gen(function*() {
      const { admin, api, dev } = yield* people
      const id = yield* changed(dev.account.id, admin.account.id)
      const { text } = yield* admin.get(`/review/${id}`)
      assert.include(text, "<strong>Asks for 5 scopes, uses 2.</strong> One is new. 2 are not used.")
      for (const part of ["412 calls in 13 weeks", "one call in 13 weeks", "is not seen."]) assert.include(text, part)
      // The risk and what it uses are read before the decision.
      assert.isBelow(text.indexOf("Asks for 5"), text.indexOf(`id="decision"`))
      assert.include((yield* admin.get("/review")).text, "asks for 5 scopes, uses 2")
      const { body } = yield* api.call<Use>("GET", `/v2/admin/oauth-clients/${id}`)
      assert.deepInclude(Object(body.data.use), {
        asked: 5,
        used: [{ scope: "BOOKING_READ", calls: 412 }, { scope: "PROFILE_READ", calls: 1 }],
        unused: ["ORG_MEMBERSHIP_WRITE", "ORG_BOOKING_READ"],
        unknown: [],
        added: ["BOOKING_WRITE"]
      })
      const queue = yield* api.call<{ readonly clients: ReadonlyArray<Use & { id: string }> }>(
        "GET",
        "/v2/admin/oauth-clients"
      )
      const [row] = queue.body.data.clients.filter((client) => client.id === id)
      assert.deepStrictEqual(row?.use, { asked: 5, used: 2 })
    }))

  it.effect("reads of an app that was approved lately that nobody knows, and of a new one nothing", () =>
    Effect.gen(function*() {
      const { admin, api, dev } = yield* people
      const recent = yield* Clients.approvedClient(dev.account.id, admin.account.id, { scopes: held })
      const page = admin.get(`/review/${recent.id}`)
      assert.include((yield* page).text, "Has 4 scopes. Nobody knows yet which of them it uses.")
      yield* called(recent.id, "BOOKING_READ", 2)
      const { text } = yield* page
      assert.include(text, "Has 4 scopes, uses at least 1.")
      assert.notInclude(text, "not used")
      const fresh = yield* Clients.newClient(dev.account.id)
      assert.isNull((yield* api.call<Use>("GET", `/v2/admin/oauth-clients/${fresh.client.id}`)).body.data.use)
      assert.notInclude((yield* admin.get(`/review/${fresh.client.id}`)).text, "Which scopes")
    }))

  it.effect("finds the apps that reach everyone and do not use that, each with a mail to its owner", () =>
    Effect.gen(function*() {
      const { admin, api, dev } = yield* people
      assert.strictEqual((yield* dev.get("/review/unused")).status, 403)
      const id = yield* changed(dev.account.id, admin.account.id)
      const { text } = yield* admin.get("/review/unused?page=x")
      assert.include(text, `<a href="/review/${id}">`)
      assert.include(text, "<code>ORG_MEMBERSHIP_WRITE</code>")
      const [, href = ""] = new RegExp(`href="(mailto:${dev.account.email}[^"]+)"`).exec(text) ?? []
      const mail = new URLSearchParams(href.replaceAll("&amp;", "&").split("?")[1])
      assert.include(mail.get("body"), "ORG_BOOKING_READ ORG_MEMBERSHIP_WRITE")
      assert.include(mail.get("body"), `/settings/apps/${id}/activity`)
      interface Page {
        readonly apps: ReadonlyArray<{ readonly id: string; readonly unused: ReadonlyArray<string> }>
        readonly page: number
      }
      const list = (query: string) => api.call<Page | null>("GET", `/v2/admin/unused-scopes${query}`)
      const { body } = yield* list("")
      const [app] = body.data?.apps.filter((one) => one.id === id) ?? []
      assert.deepStrictEqual(app?.unused, ["ORG_MEMBERSHIP_WRITE", "ORG_BOOKING_READ"])
      assert.deepInclude((yield* list("?page=7")).body.data, { apps: [], page: 7 })
      assert.strictEqual((yield* list("?page=0")).status, 400)
      yield* called(id, "ORG_BOOKING_READ", 1)
      yield* called(id, "ORG_MEMBERSHIP_WRITE", 1)
      assert.notInclude((yield* admin.get("/review/unused")).text, `href="/review/${id}"`)
    }))
})

const Partial = Layer.fresh(UsageReports.layer).pipe(
  Layer.provide(AppConfig.layerTest({ USAGE: "partial" })),
  Layer.provideMerge(Services)
)

layer(Partial)("Where some calls are not seen, a reviewer", (it) => {
  it.effect("reads that nobody knows, and why", () =>
    Effect.gen(function*() {
      const { admin, api, dev } = yield* people
      const id = yield* changed(dev.account.id, admin.account.id)
      const { text } = yield* admin.get(`/review/${id}`)
      assert.include(text, "Asks for 5 scopes, uses at least 2.")
      assert.include(text, "nothing is called unused")
      assert.notInclude((yield* admin.get("/review")).text, "asks for 5 scopes")
      assert.include((yield* admin.get("/review/unused")).text, "so nothing is called unused.")
      assert.isNull((yield* api.call("GET", "/v2/admin/unused-scopes")).body.data)
    }))
})
