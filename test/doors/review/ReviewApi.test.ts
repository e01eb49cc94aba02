import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { registration } from "../../core/clients/Fixture.ts"
import { type App, caller, Services } from "../portal/Scenario.ts"

layer(Services)("the review API", (it) => {
  it.effect.each([
    "?state=unknown",
    "?page=0",
    "?page=1.5",
    "?page=x",
    "?page=99999999999999999999",
    "?page=1&page=2",
    `?search=${"x".repeat(201)}`
  ])("refuses the queue's query %s", (query) =>
    Effect.gen(function*() {
      const admin = yield* caller("admin")
      assert.strictEqual((yield* admin.raw("GET", `/v2/admin/oauth-clients${query}`)).status, 400)
    }))

  it.effect("searches for any text without trouble", () =>
    Effect.gen(function*() {
      const admin = yield* caller("admin")
      for (const search of ["%00", "%25", "\\", "'", "%ED%A0%80"]) {
        assert.strictEqual((yield* admin.raw("GET", `/v2/admin/oauth-clients?search=${search}`)).status, 200, search)
      }
    }))

  it.effect("finds apps by their owner, and counts them by state", () =>
    Effect.gen(function*() {
      const dev = yield* caller()
      const admin = yield* caller("admin")
      yield* dev.call<App>("POST", "/v2/oauth-clients", registration)
      const search = encodeURIComponent(dev.account.email)
      const { body } = yield* admin.call<{ readonly clients: ReadonlyArray<App>; readonly counts: object }>(
        "GET",
        `/v2/admin/oauth-clients?search=${search}`
      )
      assert.deepStrictEqual(body.data.clients.map(({ name }) => name), [registration.name])
      assert.deepInclude(body.data.counts, { waiting: 1, pending: 1, approved: 0, all: 1 })
    }))

  it.effect.each([
    { action: "approve", payload: {} },
    { action: "approve", payload: { version: "1" } },
    { action: "approve", payload: { version: 1e300 } },
    { action: "reject", payload: { version: 1 } },
    { action: "reject", payload: { version: 1, reason: " " } },
    { action: "reject", payload: { version: 1, reason: "nul\0" } },
    { action: "undo", payload: {} },
    { action: "undo-rejection", payload: { version: 1 } },
    { action: "undo-rejection", payload: { reason: "Sorry." } },
    { action: "suspend", payload: {} },
    { action: "suspend", payload: { reason: "x".repeat(1001) } }
  ])("refuses to $action with $payload", ({ action, payload }) =>
    Effect.gen(function*() {
      const dev = yield* caller()
      const admin = yield* caller("admin")
      const { body } = yield* dev.call<App>("POST", "/v2/oauth-clients", registration)
      const answer = yield* admin.call("POST", `/v2/admin/oauth-clients/${body.data.id}/${action}`, payload)
      assert.strictEqual(answer.status, 400)
      assert.isNotEmpty(answer.body.error.details)
    }))

  it.effect("tells a reviewer what they may undo, and undoes it", () =>
    Effect.gen(function*() {
      const dev = yield* caller()
      const [admin, other] = [yield* caller("admin"), yield* caller("reviewer")]
      const { body: { data: { id } } } = yield* dev.call<App>("POST", "/v2/oauth-clients", {
        ...registration,
        name: "Undone by API"
      })
      const path = `/v2/admin/oauth-clients/${id}`
      interface Reviewed extends App {
        readonly undoable: null | { readonly kind: string; readonly version: number }
        readonly firstApproval: null
      }
      const without = { version: 1, without: ["BOOKING_READ"] }
      const approved = yield* admin.call<App>("POST", `${path}/approve`, without)
      assert.deepStrictEqual(approved.body.data.scopes, ["PROFILE_READ"])
      const { body: { data } } = yield* admin.call<Reviewed>("GET", path)
      assert.deepInclude(data.undoable, { kind: "approved", version: 2 })
      assert.isNull(data.firstApproval)
      assert.isNull((yield* other.call<Reviewed>("GET", path)).body.data.undoable)
      const foreign = yield* other.call("POST", `${path}/undo`, { version: 2 })
      assert.deepStrictEqual([foreign.status, foreign.body.error.code], [409, "decided_by_another"])
      const undone = yield* admin.call<App>("POST", `${path}/undo`, { version: 2 })
      assert.deepInclude(undone.body.data, { status: "pending", version: 3, scopes: ["BOOKING_READ", "PROFILE_READ"] })
    }))
})
