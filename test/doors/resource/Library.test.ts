import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { OpenApi } from "effect/http-api"
import { readFileSync, writeFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Connections } from "../../../src/core/consent/Connections.ts"
import { Resources } from "../../../src/core/resources/Resources.ts"
import { ResourceServers } from "../../../src/core/tokens/ResourceServers.ts"
import { metadataUrl } from "../../../src/doors/resource/ResourceMetadata.ts"
import { crmCatalogue } from "../../support/CrmCatalogue.ts"
import { listen, send } from "../../support/Gateway.ts"
import * as LiveServer from "../../support/LiveServer.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"

/** Loads an example of docs/library.md, with the address of the test's server and a new credential. */
const example = Effect.fnUntraced(function*<A>(load: () => Promise<A>) {
  const { url } = yield* LiveServer.LiveServer
  const { credential, server } = yield* (yield* ResourceServers).create("the platform API")
  process.env["SLOTKEY_URL"] = url
  process.env["SLOTKEY_CREDENTIAL"] = Redacted.value(credential)
  return { example: yield* Effect.promise(load), resourceServer: server.id }
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

layer(LiveServer.layer(), { excludeTestServices: true })("the examples of docs/library.md", (it) => {
  it("are the files that are tested here", () => {
    const ofResources = readFileSync(new URL("../../../docs/resources.md", import.meta.url), "utf8")
    const ownPaths = readFileSync(new URL("examples/OwnPaths.ts", import.meta.url), "utf8")
    assert.include(ofResources, ownPaths.replace(`"../../../../src/resource.ts"`, `"slotkey/resource"`))
    const page = readFileSync(new URL("../../../docs/library.md", import.meta.url), "utf8")
    for (
      const name of ["WithEffect", "WithoutEffect", "RouteHandler", "OfflineGuard", "FetchedCatalogue", "OwnCatalogue"]
    ) {
      const code = readFileSync(new URL(`examples/${name}.ts`, import.meta.url), "utf8")
      assert.include(page, code.replace(`"../../../../src/resource.ts"`, `"slotkey/resource"`))
    }
  })

  it.effect("at paths of a program's own: a resource has challenges with its base set, and with what a token lacks", () =>
    Effect.gen(function*() {
      const identifier = `https://mcp.example.com/${crypto.randomUUID()}`
      const scopes = ["BOOKING_READ", "BOOKING_WRITE", "PROFILE_READ"]
      const admin = yield* LiveServer.newAccount("admin")
      const mcp = yield* (yield* Resources).create(admin.id, {
        identifier,
        name: "Bookings for agents",
        scopes,
        baseScopes: ["BOOKING_READ"]
      })
      const { credential } = yield* (yield* ResourceServers).createFor(mcp, "MCP server", admin.id)
      const { url } = yield* LiveServer.LiveServer
      process.env["SLOTKEY_URL"] = url
      process.env["SLOTKEY_RESOURCE"] = identifier
      process.env["SLOTKEY_CREDENTIAL"] = Redacted.value(credential)
      const { server } = yield* Effect.promise(() => import("./examples/OwnPaths.ts"))
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => {
          server.listen(0, "127.0.0.1", () => resume(Effect.void))
        }),
        () => Effect.sync(() => server.close())
      )
      const { port } = server.address() as AddressInfo
      const post = (headers: Record<string, string> = {}) => send(port, "/mcp", headers, "POST")
      const metadata = `resource_metadata="${metadataUrl(identifier)}"`

      const none = yield* post()
      assert.strictEqual(none.status, 401)
      assert.strictEqual(none.headers["www-authenticate"], `Bearer scope="BOOKING_READ", ${metadata}`)
      const { accessToken: ofApi } = yield* LiveServer.newConnection(["BOOKING_READ"])
      const foreign = yield* post(bearer(ofApi))
      assert.strictEqual(foreign.status, 401)
      assert.match(foreign.headers["www-authenticate"] ?? "", /error="invalid_token".*scope="BOOKING_READ"/)

      const { accessToken, user } = yield* LiveServer.newConnection(["PROFILE_READ"], identifier)
      const read = yield* send(port, "/mcp", bearer(accessToken))
      assert.deepStrictEqual(JSON.parse(read.body), { user: user.id })
      const narrow = yield* post(bearer(accessToken))
      assert.strictEqual(narrow.status, 403)
      assert.include(narrow.headers["www-authenticate"] ?? "", `scope="BOOKING_WRITE PROFILE_READ", ${metadata}`)
      const { accessToken: wide } = yield* LiveServer.newConnection(["BOOKING_WRITE"], identifier)
      assert.strictEqual((yield* post(bearer(wide))).status, 200)
    }))

  it.effect("with Effect: an endpoint knows its caller, and a revocation counts from the next call on", () =>
    Effect.gen(function*() {
      const { example: { Api, Routes } } = yield* example(() => import("./examples/WithEffect.ts"))
      const port = yield* listen(Routes)
      const { accessToken, client, user } = yield* LiveServer.newConnection(["BOOKING_READ"])

      assert.deepStrictEqual(JSON.parse((yield* send(port, "/v2/bookings", bearer(accessToken))).body), { of: user.id })
      assert.strictEqual((yield* send(port, "/v2/bookings")).status, 401)
      assert.deepStrictEqual(JSON.parse((yield* send(port, "/v2/event-types")).body), { known: false })
      const narrow = yield* send(port, "/v2/event-types", bearer(accessToken))
      assert.strictEqual(narrow.status, 403)
      assert.match(
        narrow.headers["www-authenticate"] ?? "",
        /error="insufficient_scope".*scope="EVENT_TYPE_READ BOOKING_READ"/
      )
      assert.deepStrictEqual(OpenApi.fromApi(Api).paths["/v2/bookings"]?.get?.security, [{ slotkey: ["BOOKING_READ"] }])

      yield* (yield* Connections).disconnect(user.id, client.id)
      assert.strictEqual((yield* send(port, "/v2/bookings", bearer(accessToken))).status, 401)
    }))

  it.effect("without Effect: a plain server decides by the endpoint policy, and lets no call pass that cannot be checked", () =>
    Effect.gen(function*() {
      const { example: { server }, resourceServer } = yield* example(() => import("./examples/WithoutEffect.ts"))
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
      )
      const { port } = server.address() as AddressInfo
      const { accessToken, user } = yield* LiveServer.newConnection(["BOOKING_READ"])
      const legacy = yield* LiveServer.newConnection(null)

      const passed = yield* send(port, "/v2/bookings?take=1", bearer(accessToken))
      assert.deepStrictEqual(JSON.parse(passed.body), { user: user.id })
      assert.deepStrictEqual(JSON.parse((yield* send(port, "/v2/slots")).body), { user: null })
      assert.strictEqual((yield* send(port, "/v2/webhooks", bearer(legacy.accessToken))).status, 200)
      assert.strictEqual((yield* send(port, "/v2/webhooks", bearer(accessToken))).status, 403)
      assert.strictEqual((yield* send(port, "/v2/slots/../bookings", bearer(accessToken))).status, 403)
      const none = yield* send(port, "/v2/bookings")
      assert.strictEqual(none.status, 401)
      assert.match(none.headers["www-authenticate"] ?? "", /^Bearer scope="BOOKING_READ", resource_metadata=/)
      assert.strictEqual((yield* send(port, "/v2/bookings", bearer("not.a.token"))).status, 401)

      yield* (yield* ResourceServers).revoke(resourceServer)
      const unanswered = yield* send(port, "/v2/bookings", bearer(accessToken))
      assert.strictEqual(unanswered.status, 503)
      assert.strictEqual(unanswered.headers["retry-after"], "1")
    }))

  it.effect("with a catalogue of another API: the guard knows its operations, and none of the specification's", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "slotkey.catalogue.json")
      writeFileSync(file, JSON.stringify(crmCatalogue))
      process.env["CATALOGUE"] = file
      const { example: { guard } } = yield* example(() => import("./examples/OwnCatalogue.ts"))
      const check = (target: string) =>
        Effect.promise(() => guard.check({ method: "GET", target, authorization: undefined }))
      assert.deepInclude(yield* check("/api/health"), { allowed: true })
      assert.deepInclude(yield* check("/api/contacts"), {
        status: 401,
        message: "This call needs an access token with the scope contacts.read."
      })
      assert.deepInclude(yield* check("/v2/bookings"), { status: 403, code: "closed_to_apps" })
      yield* Effect.promise(() => guard.close())
    }))

  it.effect("with the catalogue of the server: the guard asks for it", () =>
    Effect.gen(function*() {
      const { example: { guard } } = yield* example(() => import("./examples/FetchedCatalogue.ts"))
      const { accessToken } = yield* LiveServer.newConnection(["BOOKING_READ"])
      const check = (target: string, authorization?: string) =>
        Effect.map(
          Effect.promise(() => guard.check({ method: "GET", target, authorization })),
          (verdict) => verdict.allowed ? 200 : verdict.status
        )
      assert.strictEqual(yield* check("/v2/bookings", `Bearer ${accessToken}`), 200)
      assert.strictEqual(yield* check("/v2/webhooks", `Bearer ${accessToken}`), 403)
      assert.strictEqual(yield* check("/v2/slots"), 200)
      yield* Effect.promise(() => guard.close())
    }))

  it.effect("with requests of the web standard: a refusal is a response with a challenge, which no cache keeps", () =>
    Effect.gen(function*() {
      const { example: { GET } } = yield* example(() => import("./examples/RouteHandler.ts"))
      const { accessToken, user } = yield* LiveServer.newConnection(["BOOKING_READ"])
      const get = (headers: Record<string, string> = {}) =>
        Effect.promise(() => GET(new Request("https://api.example.com/v2/bookings", { headers })))
      const json = (response: Response) => Effect.promise(() => response.json())

      assert.deepStrictEqual(yield* json(yield* get(bearer(accessToken))), { of: user.id })
      const none = yield* get()
      assert.strictEqual(none.status, 401)
      assert.match(none.headers.get("www-authenticate") ?? "", /^Bearer scope="BOOKING_READ", resource_metadata=/)
      assert.strictEqual(none.headers.get("cache-control"), "no-store")
      assert.deepStrictEqual(yield* json(none), {
        status: "error",
        error: { code: "unauthorized", message: "This call needs an access token with the scope BOOKING_READ." }
      })
    }))

  it.effect("offline: tokens are verified by the published keys, and a revocation is not seen", () =>
    Effect.gen(function*() {
      const { example: { guard } } = yield* example(() => import("./examples/OfflineGuard.ts"))
      const { accessToken, client, user } = yield* LiveServer.newConnection(["BOOKING_READ"])
      const call = { method: "GET", target: "/v2/bookings", authorization: `Bearer ${accessToken}` }
      const check = (target = call.target) => Effect.promise(() => guard.check({ ...call, target }))

      const passed = yield* check()
      assert.strictEqual(passed.allowed ? passed.caller?.userId : undefined, user.id)
      assert.deepInclude(yield* check("/v2/webhooks"), { allowed: false, status: 403, code: "insufficient_scope" })
      yield* (yield* Connections).disconnect(user.id, client.id)
      assert.isTrue((yield* check()).allowed)
      yield* Effect.promise(() => guard.close())
    }))
})
