import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../../src/core/clients/ClientRegistry.ts"
import * as Clients from "../../core/clients/Scenario.ts"
import { browser, newAccount, Services, visitor } from "../portal/Scenario.ts"

layer(Services)("/review", (it) => {
  it.effect("is for administrators alone, with the token of their session", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const admin = yield* visitor("admin")
      const dev = yield* visitor()
      const { client } = yield* Clients.newClient(dev.account.id)
      const path = `/review/${client.id}`
      const nobody = yield* browser()
      assert.strictEqual((yield* nobody.get(path)).location, `/sign-in?return_to=%2Freview%2F${client.id}`)
      for (const page of ["/review", path]) assert.strictEqual((yield* dev.get(page)).status, 403)
      for (const action of ["approve", "reject", "suspend", "resume"]) {
        const fields = { version: "1", reason: "No." }
        assert.strictEqual((yield* nobody.post(`${path}/${action}`, fields)).status, 401)
        assert.strictEqual((yield* dev.post(`${path}/${action}`, fields)).status, 403)
        assert.strictEqual((yield* admin.post(`${path}/${action}`, { ...fields, csrf: dev.csrf })).status, 403)
      }
      assert.deepStrictEqual(yield* registry.get(client.id), client)
    }))

  it.effect("lists what waits and shows an app in full", () =>
    Effect.gen(function*() {
      const admin = yield* visitor("admin")
      const dev = yield* newAccount()
      const logoUrl = "https://pictures.example/logo.png"
      const { client } = yield* Clients.newClient(dev.id, { name: "<i>Shiny</i>", logoUrl })
      const queue = yield* admin.get("/review")
      assert.include(queue.text, "&lt;i&gt;Shiny&lt;/i&gt;")
      assert.include(queue.text, dev.name)
      const { csp, text } = yield* admin.get(`/review/${client.id}`)
      assert.include(csp, "img-src 'self' data: https://pictures.example;")
      for (
        const part of [dev.email, "Keeps two calendars in step.", "https://app.example/callback", "See your bookings"]
      ) assert.include(text, part)
      assert.notInclude(text, "<i>")
      assert.include((yield* admin.get("/review?state=approved&search=Shiny")).text, "There are none.")
      for (const query of ["?state=x&page=-1", "?page=abc", "?page=1e999", "?search=%00", "?state=all&state=all"]) {
        assert.strictEqual((yield* admin.get(`/review${query}`)).status, 200, query)
      }
      assert.strictEqual((yield* admin.get("/review/slk_client_unknown")).status, 404)
      assert.strictEqual((yield* admin.get("/review/%00")).status, 404)
    }))

  it.effect("takes an app through rejection, approval, suspension and resumption", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const admin = yield* visitor("admin")
      const { id: dev } = yield* newAccount()
      const { client } = yield* Clients.newClient(dev)
      const path = `/review/${client.id}`
      const wordless = yield* admin.post(`${path}/reject`, { version: "1", reason: " " })
      assert.strictEqual(wordless.status, 400)
      assert.include(wordless.text, "must have 1 to 1000 characters")
      assert.strictEqual(
        (yield* admin.post(`${path}/reject`, { version: "1", reason: "<b>Vague</b>" })).location,
        `${path}?done=reject`
      )
      const rejected = yield* admin.get(`${path}?done=reject`)
      assert.include(rejected.text, "&lt;b&gt;Vague&lt;/b&gt;")
      assert.include(rejected.text, "Rejected. The owner gets a mail")
      yield* registry.resubmit(dev, client.id)
      assert.strictEqual((yield* admin.post(`${path}/approve`, { version: "3" })).status, 303)
      assert.strictEqual((yield* admin.post(`${path}/suspend`, { version: "4", reason: "Abuse." })).status, 303)
      assert.strictEqual((yield* registry.get(client.id)).status, "suspended")
      assert.strictEqual((yield* admin.post(`${path}/resume`, { version: "5" })).status, 303)
      assert.strictEqual((yield* registry.get(client.id)).status, "approved")
      // Entries about users do not push the entries about the review off the page.
      const consent = { actor: "user", action: "consent.allowed", clientId: client.id }
      yield* (yield* AuditLog).recordAll(Array.from({ length: 60 }, () => consent))
      const { text } = yield* admin.get(path)
      assert.notInclude(text, "consent")
      for (const part of ["registered", "rejected", "suspended", "resumed", admin.account.name]) {
        assert.include(text, part)
      }
    }))

  it.effect("tells the second of two administrators, and keeps what was typed", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const [first, second] = [yield* visitor("admin"), yield* visitor("admin")]
      const { id: dev } = yield* newAccount()
      const { client } = yield* Clients.newClient(dev)
      const path = `/review/${client.id}`
      yield* first.post(`${path}/approve`, { version: "1" })
      const late = yield* second.post(`${path}/reject`, { version: "1", reason: "Not yet." })
      assert.strictEqual(late.status, 409)
      assert.include(late.text, "The app has changed since you looked at it")
      assert.strictEqual((yield* registry.get(client.id)).status, "approved")
      assert.strictEqual((yield* second.post(`${path}/approve`, {})).status, 409)
    }))

  it.effect("shows the difference of a change", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const admin = yield* visitor("admin")
      const { id: dev } = yield* newAccount()
      const client = yield* Clients.approvedClient(dev, admin.account.id)
      yield* registry.edit(dev, client.id, { name: "Other", scopes: ["BOOKING_READ", "PROFILE_READ", "PROFILE_WRITE"] })
      const { text } = yield* admin.get(`/review/${client.id}`)
      for (const part of ["<del>Calendar Sync</del>", "<ins>Other</ins>", "<ins>PROFILE_WRITE</ins>"]) {
        assert.include(text, part)
      }
      yield* admin.post(`/review/${client.id}/approve`, { version: "3" })
      assert.strictEqual((yield* registry.get(client.id)).name, "Other")
    }))
})
