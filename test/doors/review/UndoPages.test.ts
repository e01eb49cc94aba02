import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import * as Clients from "../../core/clients/Scenario.ts"
import { newAccount, servicesWith, visitor } from "../portal/Scenario.ts"

const undoForm = (id: string) => `action="/review/${id}/undo"`

layer(servicesWith({ REVIEW_TWO_PEOPLE: "required" }))("/review/…/undo", (it) => {
  it.effect("is a button on the page of an app that its reader has just decided on", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const admin = yield* visitor("admin")
      const other = yield* visitor("reviewer")
      const { client } = yield* Clients.newClient((yield* newAccount()).id)
      const path = `/review/${client.id}`
      assert.notInclude((yield* admin.get(path)).text, undoForm(client.id))
      yield* admin.post(`${path}/approve`, { version: "1" })
      const decided = yield* admin.get(path)
      assert.include(decided.text, "You approved this app")
      assert.include(decided.text, undoForm(client.id))
      assert.notInclude((yield* other.get(path)).text, undoForm(client.id))

      const early = yield* other.post(`${path}/undo`, { version: "2" })
      assert.strictEqual(early.status, 409)
      assert.include(early.text, "Another reviewer decided this")
      assert.strictEqual((yield* admin.post(`${path}/undo`, { version: "2" })).status, 303)
      const undone = yield* admin.get(path)
      assert.include(undone.text, "Undone. The app is as it was before.")
      assert.include(undone.text, "undid the approval")
      assert.strictEqual((yield* review.get(client.id)).status, "pending")

      yield* admin.post(`${path}/reject`, { version: "3", reason: "No." })
      yield* TestClock.adjust("10 minutes")
      assert.notInclude((yield* admin.get(path)).text, undoForm(client.id))
      const late = yield* admin.post(`${path}/undo`, { version: "4" })
      assert.strictEqual(late.status, 409)
      assert.include(late.text, "The time to undo this decision is over")
    }))

  it.effect("approves without what the reviewer chooses, and says why it does not", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const admin = yield* visitor("admin")
      const { id: dev } = yield* newAccount()
      const { client } = yield* Clients.newClient(dev, { scopes: ["BOOKING_READ", "PROFILE_READ"] })
      const path = `/review/${client.id}`
      const page = yield* admin.get(path)
      assert.include(page.text, "Approve without some of the scopes</summary>")
      assert.include(page.text, `name="without:BOOKING_READ"`)
      const all = { version: "1", "without:BOOKING_READ": "on", "without:PROFILE_READ": "on" }
      const refused = yield* admin.post(`${path}/approve`, all)
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, "Left out must leave a scope that users have to give.")
      yield* admin.post(`${path}/approve`, { version: "1", "without:BOOKING_READ": "on" })
      assert.deepStrictEqual([...(yield* review.get(client.id)).scopes], ["PROFILE_READ"])
      assert.include((yield* admin.get(path)).text, "Left out: <code>BOOKING_READ</code>")
      yield* registry.edit(dev, client.id, { scopes: ["PROFILE_READ", "BOOKING_READ"], name: "Another name" })
      const changed = yield* admin.get(path)
      assert.include(changed.text, `name="without:BOOKING_READ"`)
      assert.notInclude(changed.text, `name="without:PROFILE_READ"`)
    }))

  it.effect("shows the first of two approvals, and lets its reviewer take it back", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const admin = yield* visitor("admin")
      const other = yield* visitor("reviewer")
      const scopes = ["PROFILE_READ", "BOOKING_READ", "ORG_MEMBERSHIP_WRITE"]
      const { client } = yield* Clients.newClient((yield* newAccount()).id, { scopes })
      const path = `/review/${client.id}`
      const approve = { version: "1", "without:BOOKING_READ": "on" }
      const goesOn = yield* admin.post(`${path}/approve`, approve)
      assert.include((yield* admin.get(goesOn.location ?? "")).text, "It takes another reviewer to approve it, too.")
      const own = yield* admin.get(path)
      assert.include(own.text, "It takes one more reviewer.")
      assert.include(own.text, "Take back your approval")
      const others = yield* other.get(path)
      assert.include(others.text, "It takes one more reviewer.")
      assert.include(others.text, admin.account.name)
      assert.include(others.text, `name="without:BOOKING_READ" value="on" checked`)
      assert.notInclude(others.text, "Take back your approval")
      yield* admin.post(`${path}/undo`, { version: "1" })
      assert.notInclude((yield* other.get(path)).text, "It takes one more reviewer.")
      yield* admin.post(`${path}/approve`, approve)
      yield* other.post(`${path}/approve`, approve)
      assert.strictEqual((yield* review.get(client.id)).status, "approved")
    }))
})
