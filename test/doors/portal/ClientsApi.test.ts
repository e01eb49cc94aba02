import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Clients from "../../support/Clients.ts"
import { type Answer, caller, Services } from "./Scenario.ts"

interface App {
  readonly id: string
  readonly status: string
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly version: number
  readonly secret: string | null
  readonly rejectionReason: string | null
  readonly change: null | { readonly scopes: ReadonlyArray<string>; readonly rejectionReason: string | null }
}
interface Secret {
  readonly id: string
  readonly lastFour: string
  readonly secret?: string
}

const count = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ clients: number; secrets: number; outbox: number }>`SELECT
    (SELECT count(*)::int FROM clients) AS clients, (SELECT count(*)::int FROM client_secrets) AS secrets,
    (SELECT count(*)::int FROM outbox) AS outbox`
  return row
})

layer(Services)("the management API", (it) => {
  it.effect("takes an app from registration through review to deletion", () =>
    Effect.gen(function*() {
      const dev = yield* caller()
      const admin = yield* caller("admin")
      const registered = yield* dev.call<App>("POST", "/v2/oauth-clients", Clients.registration)
      assert.strictEqual(registered.status, 201)
      const { id, secret, ...app } = registered.body.data
      assert.match(secret ?? "", /^slk_secret_/)
      assert.deepStrictEqual({ ...app }, {
        ...Clients.registration,
        ownerId: dev.account.id,
        legacy: false,
        migratedAt: null,
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
      const { body } = yield* call<App>("POST", "/v2/oauth-clients", Clients.registration)
      const path = `/v2/oauth-clients/${body.data.id}/secrets`
      const made = yield* call<Secret>("POST", path)
      assert.strictEqual(made.status, 201)
      assert.strictEqual(made.body.data.secret?.slice(-4), made.body.data.lastFour)
      assert.strictEqual((yield* call("POST", path)).body.error.code, "secret_limit")

      const listed = yield* call<ReadonlyArray<Secret>>("GET", path)
      assert.deepStrictEqual(
        Object.keys(listed.body.data[0] ?? {}).sort(),
        ["createdAt", "id", "lastFour", "lastUsedAt"]
      )
      const first = listed.body.data.find(({ id }) => id !== made.body.data.id)
      assert.strictEqual((yield* call("DELETE", `${path}/${first?.id}`)).status, 200)
      assert.strictEqual((yield* call("DELETE", `${path}/${first?.id}`)).status, 404)
      const last = yield* call("DELETE", `${path}/${made.body.data.id}`)
      assert.deepStrictEqual([last.status, last.body.error.code], [409, "last_secret"])
    }))

  it.effect("lets nobody keep an answer", () =>
    Effect.gen(function*() {
      const { raw } = yield* caller()
      const made = yield* raw("POST", "/v2/oauth-clients", JSON.stringify(Clients.registration))
      assert.strictEqual(made.headers.get("cache-control"), "no-store")
      assert.strictEqual((yield* raw("GET", "/v2/oauth-clients/x")).headers.get("cache-control"), "no-store")
    }))

  it.effect("hides the apps of others, and the review from who is no administrator", () =>
    Effect.gen(function*() {
      const dev = yield* caller()
      const other = yield* caller()
      const { body: { data: { id } } } = yield* dev.call<App>("POST", "/v2/oauth-clients", Clients.registration)
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

  it.effect("names every field at fault, the third redirect URI among them", () =>
    Effect.gen(function*() {
      const { call } = yield* caller()
      const before = yield* count
      const { body, status } = yield* call("POST", "/v2/oauth-clients", {
        kind: "secret",
        name: "",
        website: "ftp://app.example",
        redirectUris: ["https://a.example/", "https://b.example/", "https://c.example/#fragment"],
        scopes: []
      })
      assert.strictEqual(status, 400)
      assert.strictEqual(body.error.code, "invalid_input")
      const details = new Map(body.error.details.map(({ message, path }) => [path, message]))
      assert.sameMembers([...details.keys()], ["kind", "name", "purpose", "website", "redirectUris.2", "scopes"])
      assert.strictEqual(details.get("redirectUris.2"), "must not have a fragment (#)")
      assert.strictEqual(details.get("purpose"), "is required")
      assert.strictEqual(details.get("scopes"), "must name at least one scope")
      assert.deepStrictEqual(yield* count, before)
    }))

  const fits = (change: object) => JSON.stringify({ ...Clients.registration, ...change })
  it.effect.each([
    { what: "nothing", body: "", status: 400 },
    { what: "broken JSON", body: "{", status: 400 },
    { what: "a list", body: "[]", status: 400 },
    { what: "null", body: "null", status: 400 },
    { what: "a NUL in the name", body: fits({ name: "a\0b" }), status: 400 },
    { what: "a lone surrogate in the name", body: fits({ name: "x" }).replace("\"x\"", "\"\\ud800\""), status: 400 },
    { what: "a lone surrogate in the website", body: fits({ website: "https://a.example/\ud800" }), status: 400 },
    { what: "a NUL in a redirect URI", body: fits({ redirectUris: ["https://a.example/\0"] }), status: 400 },
    { what: "a NUL in a scope", body: fits({ scopes: ["BOOKING_READ\0"] }), status: 400 },
    {
      what: "eleven redirect URIs",
      body: fits({ redirectUris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) }),
      status: 400
    },
    {
      what: "one redirect URI twice",
      body: fits({ redirectUris: ["https://a.example/", "https://a.example/"] }),
      status: 400
    },
    { what: "no redirect URI", body: fits({ redirectUris: [] }), status: 400 },
    {
      what: "a private-use scheme for a confidential app",
      body: fits({ redirectUris: ["com.a.example:/"] }),
      status: 400
    },
    { what: "a logo over http", body: fits({ logoUrl: "http://a.example/logo.png" }), status: 400 },
    {
      what: "a logo whose host would end a directive of a policy",
      body: fits({ logoUrl: "https://a;form-action.example/" }),
      status: 400
    },
    { what: "a script as logo", body: fits({ logoUrl: "javascript:alert(1)" }), status: 400 },
    { what: "a field that does not exist", body: fits({ redirect_uris: [] }), status: 400 },
    { what: "deep nesting", body: "[".repeat(20_000), status: 400 },
    { what: "a megabyte", body: fits({ purpose: "x".repeat(1e6) }), status: 413 },
    { what: "another media type", body: "name=x", type: "application/x-www-form-urlencoded", status: 415 },
    { what: "invalid UTF-8", body: new Uint8Array([0x7b, 0xff, 0x7d]), status: 400 }
  ])("refuses $what, says why and keeps nothing", ({ body, status, type }) =>
    Effect.gen(function*() {
      const { raw } = yield* caller()
      const before = yield* count
      const response = yield* raw("POST", "/v2/oauth-clients", body, type)
      const answer = (yield* Effect.promise(() => response.json())) as Answer<null>
      assert.strictEqual(response.status, status)
      assert.strictEqual(answer.status, "error")
      assert.isNotEmpty(answer.error.message)
      assert.deepStrictEqual(yield* count, before)
    }))

  it.effect.each([
    { id: "%00", status: 404 },
    { id: "%ED%A0%80", status: 404 },
    { id: "x".repeat(5000), status: 404 },
    { id: "..%2f..%2fetc", status: 404 },
    { id: "'%20OR%201=1", status: 404 }
  ])("finds nothing under the id $id", ({ id, status }) =>
    Effect.gen(function*() {
      const dev = yield* caller()
      const admin = yield* caller("admin")
      assert.strictEqual((yield* dev.raw("GET", `/v2/oauth-clients/${id}`)).status, status)
      assert.strictEqual((yield* dev.raw("DELETE", `/v2/oauth-clients/${id}/secrets/${id}`)).status, status)
      assert.strictEqual((yield* admin.raw("GET", `/v2/admin/oauth-clients/${id}`)).status, status)
    }))

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

  it.effect.each([
    { action: "approve", payload: {} },
    { action: "approve", payload: { version: "1" } },
    { action: "approve", payload: { version: 1e300 } },
    { action: "reject", payload: { version: 1 } },
    { action: "reject", payload: { version: 1, reason: " " } },
    { action: "reject", payload: { version: 1, reason: "nul\0" } },
    { action: "suspend", payload: {} },
    { action: "suspend", payload: { reason: "x".repeat(1001) } }
  ])("refuses to $action with $payload", ({ action, payload }) =>
    Effect.gen(function*() {
      const dev = yield* caller()
      const admin = yield* caller("admin")
      const { body } = yield* dev.call<App>("POST", "/v2/oauth-clients", Clients.registration)
      const answer = yield* admin.call("POST", `/v2/admin/oauth-clients/${body.data.id}/${action}`, payload)
      assert.strictEqual(answer.status, 400)
      assert.isNotEmpty(answer.body.error.details)
    }))
})
