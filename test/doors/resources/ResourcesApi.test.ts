import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Role } from "../../../src/core/accounts/people/Account.ts"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { newAccount } from "../../core/clients/Scenario.ts"
import { visitor } from "../../core/legacy/Scenario.ts"
import { layer as server, serverClient } from "../../support/TestServer.ts"
import { mcpAt } from "./Fixture.ts"
import { connected } from "./Scenario.ts"

const path = "/v2/admin/resources"

/** A resource, or a credential of one. */
interface One extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly usage: object
  readonly lastFour: string
  readonly credential: string
}

interface Body<A> {
  readonly data: A
  readonly error?: { readonly code: string; readonly details?: ReadonlyArray<{ path: string; message: string }> }
}

/** Somebody who calls the management API, and reads the data of its answers, or what was refused. */
const caller = Effect.fnUntraced(function*(role: Role) {
  const { call, id } = yield* Effect.flatMap(newAccount(role, role), visitor)
  const send = <A = One>(method: string, path: string, body?: object) =>
    Effect.map(call(method, path, body), ({ headers, status, text }) => {
      const { data, error }: Body<A> = JSON.parse(text)
      const faults = error?.details?.map(({ message, path }) => `${path} ${message}`)
      return { status, data, code: error?.code, faults, location: headers.get("location") }
    })
  return { id, send }
})

layer(server(), { timeout: 60_000 })("resources by API", (it) => {
  it.effect("are registered, read, changed and removed by administrators alone", () =>
    Effect.gen(function*() {
      const admin = yield* caller("admin")
      const mcp = mcpAt("first.example.com")
      const made = yield* admin.send("POST", path, mcp)
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.data, {
        ...mcp,
        metadataUrl: "https://first.example.com/.well-known/oauth-protected-resource/mcp",
        version: 1
      })
      const one = `${path}/${made.data.id}`
      assert.include(made.location ?? "", one)
      const listed = yield* admin.send<ReadonlyArray<One>>("GET", path)
      assert.deepStrictEqual(listed.data.map(({ id }) => id), [made.data.id])
      const edited = yield* admin.send("PATCH", one, { name: "Bookings" })
      assert.deepInclude(edited.data, { name: "Bookings", baseScopes: ["BOOKING_READ"], version: 2 })

      for (const role of ["reviewer", "user"] as const) {
        const other = yield* caller(role)
        const requests = [["GET", path], ["POST", path, mcp], ["GET", one], ["PATCH", one, {}], [
          "DELETE",
          one
        ]] as const
        for (const [method, at, body] of requests) {
          assert.strictEqual((yield* other.send(method, at, body)).status, 403, `${method} as ${role}`)
        }
      }

      assert.deepStrictEqual((yield* admin.send<object>("DELETE", one)).data, { grants: 0 })
      assert.strictEqual((yield* admin.send("DELETE", one)).status, 404)
      assert.strictEqual((yield* admin.send("PATCH", one, { name: "Again" })).status, 404)
      const entries = yield* (yield* AuditLog).list({ actor: admin.id })
      const acts = entries.map(({ action }) => action).filter((action) => action.startsWith("resource."))
      assert.deepStrictEqual(acts, ["resource.deleted", "resource.changed", "resource.created"])
    }))

  it.effect("refuse what names no resource, and change nothing", () =>
    Effect.gen(function*() {
      const admin = yield* caller("admin")
      const mcp = mcpAt("strict.example.com")
      const refused = (changes: object, status = 400) =>
        Effect.map(admin.send("POST", path, { ...mcp, ...changes }), (answer) => {
          assert.strictEqual(answer.status, status, JSON.stringify(changes))
          return answer.faults?.join("; ") ?? ""
        })
      for (
        const identifier of [
          "http://strict.example.com/mcp",
          "https://strict.example.com/mcp#tools",
          "https://ann:secret@strict.example.com/mcp",
          "strict.example.com",
          "urn:mcp",
          "https://",
          "",
          `https://strict.example.com/${"x".repeat(500)}`
        ]
      ) assert.include(yield* refused({ identifier }), "identifier must be an https address", identifier)
      assert.include(yield* refused({ identifier: "https://slotkey.test/" }), "address of the API itself")
      assert.include(yield* refused({ scopes: ["TIME_TRAVEL"] }), "scopes.0 is not a scope of the catalogue")
      assert.include(yield* refused({ baseScopes: ["WEBHOOK_READ"] }), "baseScopes.0 must not name WEBHOOK_READ")
      assert.include(yield* refused({ scopes: [], baseScopes: [] }), "scopes must name at least one scope")
      assert.include(yield* refused({ baseScopes: [] }), "baseScopes must name at least one scope")
      assert.include(yield* refused({ name: "Mail\nfrom us" }), "name must be one line")
      assert.include(yield* refused({ owner: "me" }), "owner is not a known field")

      const { data } = yield* admin.send("POST", path, mcp)
      for (const identifier of [mcp.identifier, "HTTPS://STRICT.example.com:443/mcp"]) {
        assert.include(yield* refused({ identifier }, 409), "identifier is taken")
      }
      const one = `${path}/${data.id}`
      const narrowed = yield* admin.send("PATCH", one, { scopes: ["PROFILE_READ"] })
      assert.deepStrictEqual(narrowed.faults, [
        "baseScopes.0 must not name BOOKING_READ: it is not among the scopes of the resource"
      ])
      assert.strictEqual((yield* admin.send("PATCH", one, { identifier: "https://other.example" })).status, 400)
      for (const id of ["none", "%00", crypto.randomUUID()]) {
        assert.strictEqual((yield* admin.send("GET", `${path}/${id}`)).status, 404, id)
      }
      assert.deepInclude((yield* admin.send("GET", one)).data, { scopes: data.scopes, version: 1 })
    }))

  it.effect("are not changed blindly by two administrators at once", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* caller("admin"), yield* caller("admin")]
      const mcp = mcpAt("contended.example.com")
      const made = yield* Effect.all([one.send("POST", path, mcp), other.send("POST", path, mcp)], { concurrency: 2 })
      assert.deepStrictEqual(made.map(({ status }) => status).toSorted(), [201, 409])
      const id = made.find(({ status }) => status === 201)?.data.id
      const at = `${path}/${id}`
      const changes = yield* Effect.all([
        one.send("PATCH", at, { name: "Mine", version: 1 }),
        other.send("PATCH", at, { scopes: ["BOOKING_READ"], version: 1 })
      ], { concurrency: 2 })
      assert.deepStrictEqual(changes.map(({ code, status }) => code ?? status).toSorted(), [200, "resource_changed"])

      // Without a version each changes what it names, and keeps what the other has changed.
      yield* Effect.all([
        one.send("PATCH", at, { name: "Ours" }),
        other.send("PATCH", at, { scopes: ["BOOKING_READ"] })
      ], { concurrency: 2 })
      assert.deepInclude((yield* one.send("GET", at)).data, { name: "Ours", scopes: ["BOOKING_READ"] })
      const removals = yield* Effect.all([one.send("DELETE", at), other.send("DELETE", at)], { concurrency: 2 })
      assert.deepStrictEqual(removals.map(({ status }) => status).toSorted(), [200, 404])
    }))

  it.effect("end with all that was given for them, as their preview says", () =>
    Effect.gen(function*() {
      const admin = yield* caller("admin")
      const mcp = mcpAt("used.example.com")
      const { data: { id } } = yield* admin.send("POST", path, mcp)
      const { client, refresh, tokens } = yield* connected(mcp.identifier)
      yield* connected(mcp.identifier)
      const usage = { grants: 2, apps: 2, users: 2, isComplete: true }
      assert.deepStrictEqual((yield* admin.send("GET", `${path}/${id}`)).data.usage, usage)
      const created = yield* admin.send("POST", `${path}/${id}/credentials`, { name: "MCP server" })
      assert.deepStrictEqual((yield* admin.send<object>("DELETE", `${path}/${id}`)).data, { grants: 2 })
      const { status } = yield* refresh(tokens.refresh)
      assert.strictEqual(status, 400, client.id)
      const { post } = yield* serverClient
      const asked = yield* post("/v2/auth/oauth2/introspect", { token: tokens.access }, {
        authorization: `Bearer ${created.data.credential}`
      })
      assert.strictEqual(asked.status, 401)
    }))

  it.effect("have credentials, which ask until they are revoked", () =>
    Effect.gen(function*() {
      const admin = yield* caller("admin")
      const { data: { id } } = yield* admin.send("POST", path, mcpAt("asking.example.com"))
      const { data: other } = yield* admin.send("POST", path, mcpAt("other.example.com"))
      const at = `${path}/${id}/credentials`
      const { data: made, status } = yield* admin.send("POST", at, { name: " MCP server " })
      assert.strictEqual(status, 201)
      assert.match(made.credential, /^slk_rs_/)
      const { credential, ...listed } = made
      assert.deepStrictEqual((yield* admin.send<ReadonlyArray<object>>("GET", at)).data, [listed])
      assert.deepStrictEqual([listed.name, listed.lastFour], ["MCP server", credential.slice(-4)])
      assert.isFalse(JSON.stringify(listed).includes(credential))

      const { post } = yield* serverClient
      const { tokens } = yield* connected("https://asking.example.com/mcp")
      const ask = Effect.map(
        post("/v2/auth/oauth2/introspect", { token: tokens.access }, { authorization: `Bearer ${credential}` }),
        ({ json, status }) => json["active"] ?? status
      )
      assert.isTrue(yield* ask)
      for (const name of ["", "x".repeat(101), "a\nb"]) {
        assert.strictEqual((yield* admin.send("POST", at, { name })).status, 400, name)
      }
      const ofOther = `${path}/${other.id}/credentials/${listed.id}`
      assert.strictEqual((yield* admin.send("DELETE", ofOther)).status, 404)
      assert.isTrue(yield* ask)
      assert.strictEqual((yield* admin.send("DELETE", `${at}/${listed.id}`)).status, 200)
      assert.strictEqual((yield* admin.send("DELETE", `${at}/${listed.id}`)).status, 404)
      assert.strictEqual(yield* ask, 401)
    }))
})
