import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { nothingSaid } from "../../../src/core/clients/records/ReviewedFields.ts"
import { registration } from "../../core/clients/Fixture.ts"
import { type App, caller, count, Services } from "./Scenario.ts"

interface Secret {
  readonly id: string
  readonly lastFour: string
  readonly secret?: string
}

layer(Services)("the management API", (it) => {
  it.effect("takes an app from registration through review to deletion", () =>
    Effect.gen(function*() {
      const dev = yield* caller()
      const admin = yield* caller("admin")
      const registered = yield* dev.call<App>("POST", "/v2/oauth-clients", registration)
      assert.strictEqual(registered.status, 201)
      const { id, secret, ...app } = registered.body.data
      assert.match(secret ?? "", /^slk_secret_/)
      assert.deepStrictEqual({ ...app }, {
        ...nothingSaid,
        ...registration,
        optionalScopes: [],
        ownerId: dev.account.id,
        origin: "registered",
        legacy: false,
        logoDigest: null,
        scopeWords: [],
        migratedAt: null,
        testOf: null,
        refreshGrace: "until-used",
        status: "pending",
        rejectionReason: null,
        submittedAt: "1970-01-01T00:00:00.000Z",
        reviewedAt: null,
        createdAt: "1970-01-01T00:00:00.000Z",
        updatedAt: "1970-01-01T00:00:00.000Z",
        version: 1,
        change: null
      } as never)

      const queue = yield* admin.call<{ clients: ReadonlyArray<App>; total: number }>("GET", "/v2/admin/oauth-clients")
      assert.isTrue(queue.body.data.clients.some((waiting) => waiting.id === id))
      const path = `/v2/admin/oauth-clients/${id}`
      const rejected = yield* admin.call<App>("POST", `${path}/reject`, { version: 1, reason: "Too vague." })
      assert.strictEqual(rejected.body.data.rejectionReason, "Too vague.")
      const edited = yield* dev.call<App>("PATCH", `/v2/oauth-clients/${id}`, { purpose: "Copies bookings." })
      assert.strictEqual(edited.body.data.status, "pending")
      const approved = yield* admin.call<App>("POST", `${path}/approve`, { version: edited.body.data.version })
      assert.strictEqual(approved.body.data.status, "approved")
      const again = yield* admin.call("POST", `${path}/approve`, { version: edited.body.data.version })
      assert.deepStrictEqual([again.status, again.body.error.code], [409, "version_conflict"])

      const scopes = ["BOOKING_READ", "BOOKING_WRITE", "PROFILE_READ"]
      yield* dev.call("PATCH", `/v2/oauth-clients/${id}`, { scopes })
      const review = yield* admin.call<App & { owner: unknown; differences: unknown }>("GET", path)
      assert.deepStrictEqual(review.body.data.differences, [{ field: "scopes", removed: [], added: ["BOOKING_WRITE"] }])
      assert.deepStrictEqual(review.body.data.owner, {
        id: dev.account.id,
        name: dev.account.name,
        username: dev.account.username,
        email: dev.account.email
      })
      const withdrawn = yield* dev.call<App>("DELETE", `/v2/oauth-clients/${id}/change`)
      assert.isNull(withdrawn.body.data.change)

      const suspended = yield* admin.call<App>("POST", `${path}/suspend`, { reason: "Abuse." })
      assert.strictEqual(suspended.body.data.status, "suspended")
      assert.strictEqual((yield* admin.call<App>("POST", `${path}/resume`, {})).body.data.status, "approved")

      const listed = yield* dev.call<ReadonlyArray<App>>("GET", "/v2/oauth-clients")
      assert.deepStrictEqual(listed.body.data.map((mine) => mine.id), [id])
      assert.notInclude(JSON.stringify(listed.body), secret ?? "")
      assert.strictEqual((yield* dev.call("DELETE", `/v2/oauth-clients/${id}`)).status, 200)
      assert.strictEqual((yield* dev.call("GET", `/v2/oauth-clients/${id}`)).status, 404)
    }))

  it.effect("rotates secrets", () =>
    Effect.gen(function*() {
      const { call } = yield* caller()
      const { body } = yield* call<App>("POST", "/v2/oauth-clients", registration)
      const path = `/v2/oauth-clients/${body.data.id}/secrets`
      const made = yield* call<Secret>("POST", path)
      assert.strictEqual(made.status, 201)
      assert.strictEqual(made.body.data.secret?.slice(-4), made.body.data.lastFour)
      assert.strictEqual((yield* call("POST", path)).body.error.code, "secret_limit")

      const listed = yield* call<ReadonlyArray<Secret>>("GET", path)
      assert.deepStrictEqual(
        Object.keys(listed.body.data[0] ?? {}).sort(),
        ["createdAt", "endsAt", "id", "isOverdue", "isSealed", "lastFour", "lastUsedAt"]
      )
      const first = listed.body.data.find(({ id }) => id !== made.body.data.id)
      assert.strictEqual((yield* call("DELETE", `${path}/${first?.id}`)).status, 200)
      assert.strictEqual((yield* call("DELETE", `${path}/${first?.id}`)).status, 404)
      const last = yield* call("DELETE", `${path}/${made.body.data.id}`)
      assert.deepStrictEqual([last.status, last.body.error.code], [409, "last_secret"])
    }))

  it.effect("tells every fault of a request at once, names that are no scope among them", () =>
    Effect.gen(function*() {
      const dev = yield* caller()
      const nowhere = { path: "scopes.1", message: "is not a scope of the catalogue" }
      const noName = { path: "name", message: "must have 1 to 80 characters" }
      const wrong = { name: "", scopes: ["BOOKING_READ", "EVERYTHING"] }
      const refused = yield* dev.call("POST", "/v2/oauth-clients", { ...registration, ...wrong })
      assert.deepStrictEqual([refused.status, refused.body.error.details], [400, [noName, nowhere]])
      const { body: { data: { id } } } = yield* dev.call<App>("POST", "/v2/oauth-clients", registration)
      const edit = yield* dev.call("PATCH", `/v2/oauth-clients/${id}`, wrong)
      assert.deepStrictEqual([edit.status, edit.body.error.details], [400, [noName, nowhere]])
    }))

  it.effect("lets nobody keep an answer", () =>
    Effect.gen(function*() {
      const { raw } = yield* caller()
      const made = yield* raw("POST", "/v2/oauth-clients", JSON.stringify(registration))
      assert.strictEqual(made.headers.get("cache-control"), "no-store")
      assert.strictEqual((yield* raw("GET", "/v2/oauth-clients/x")).headers.get("cache-control"), "no-store")
    }))

  it.effect("hides the apps of others, and the review from all but administrators", () =>
    Effect.gen(function*() {
      const dev = yield* caller()
      const other = yield* caller()
      const { body: { data: { id } } } = yield* dev.call<App>("POST", "/v2/oauth-clients", registration)
      const own = `/v2/oauth-clients/${id}`
      const before = yield* count
      for (
        const [method, path, payload] of [
          ["GET", own],
          ["PATCH", own, { name: "Mine" }],
          ["DELETE", own],
          ["POST", `${own}/resubmit`],
          ["DELETE", `${own}/change`],
          ["GET", `${own}/secrets`],
          ["POST", `${own}/secrets`],
          ["DELETE", `${own}/secrets/sec_1`]
        ] as const
      ) {
        const answer = yield* other.call(method, path, payload)
        assert.deepStrictEqual([answer.status, answer.body.error.code], [404, "client_not_found"], `${method} ${path}`)
      }
      const review = `/v2/admin/oauth-clients/${id}`
      for (
        const [method, path, payload] of [
          ["GET", "/v2/admin/oauth-clients"],
          ["GET", review],
          ["POST", `${review}/approve`, { version: 1 }],
          ["POST", `${review}/reject`, { version: 1, reason: "No." }],
          ["POST", `${review}/suspend`, { reason: "No." }],
          ["POST", `${review}/resume`, {}]
        ] as const
      ) assert.strictEqual((yield* dev.call(method, path, payload)).status, 403, `${method} ${path}`)
      assert.deepStrictEqual(yield* count, before)
    }))
})
