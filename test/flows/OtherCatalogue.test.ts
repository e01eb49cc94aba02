import { assert, describe, it, layer } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Effect, Layer } from "effect"
import { LocalServices } from "../../src/app/Services.ts"
import { make } from "../../src/domain/catalogue/Catalogue.ts"
import { BuiltInScope } from "../../src/domain/scopes/BuiltInNames.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { catalogueLayer } from "../../src/index.ts"
import { makeGuard, makeOfflineGuard } from "../../src/resource.ts"
import * as Testing from "../../src/testing.ts"
import { crmCatalogue } from "../support/CrmCatalogue.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const crm = make(crmCatalogue)

/** Names as the types of a program know them that has not registered its catalogue. */
const scopes = (text: string) => crm.named(text).scopes

const builtInName = new RegExp(`(?<![A-Z_])(?:${BuiltInScope.literals.join("|")})(?![A-Z_])`)

const textOf = (response: Response) => Effect.promise(() => response.text())

const json = (response: Response): Effect.Effect<unknown> => Effect.promise(() => response.json())

const baseUrl = "https://slotkey.test"

layer(Testing.TestServer.layer({ catalogue: crmCatalogue }), { timeout: "1 minute" })(
  "a server of another platform",
  (it) => {
    const get = Effect.fnUntraced(function*(path: string, headers: Record<string, string> = {}) {
      return yield* (yield* Testing.TestServer).fetch(path, { headers })
    })

    it.effect("registers an app with its scopes, and refuses others as it refuses unknown ones", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        const developer = yield* kit.user()
        const session = yield* kit.session(developer)
        const form = yield* Effect.flatMap(
          get(`/settings/apps/new/scopes?draft=${crypto.randomUUID()}`, { cookie: session.cookie }),
          textOf
        )
        for (const name of crm.names) assert.include(form, `name="scope:${name}"`)
        assert.include(form, "Your workspace")
        assert.notMatch(form, builtInName)

        const fields = {
          kind: "confidential",
          name: "Orbit Sync",
          purpose: "Keeps contacts in step.",
          website: "https://sync.example",
          redirectUris: "https://sync.example/callback"
        }
        const sent = yield* kit.submit(session, "/settings/apps", { ...fields, "scope:contacts.write": "on" })
        assert.strictEqual(sent.status, 200)
        const foreign = yield* kit.submit(session, "/settings/apps", { ...fields, "scope:BOOKING_READ": "on" })
        assert.strictEqual(foreign.status, 400)
        assert.include(yield* textOf(foreign), "must name at least one scope")

        const apps = (body: object) =>
          kit.fetch("/v2/oauth-clients", {
            method: "POST",
            headers: { cookie: session.cookie, "x-csrf-token": session.csrf, "content-type": "application/json" },
            body: JSON.stringify({ ...fields, name: "By API", redirectUris: [fields.redirectUris], ...body })
          })
        const refused = yield* apps({ scopes: ["contacts.read", "BOOKING_READ"] })
        assert.strictEqual(refused.status, 400)
        assert.deepInclude(yield* json(refused), {
          error: {
            code: "invalid_input",
            message: "Some fields are not valid; nothing was changed.",
            details: [{ path: "scopes.1", message: "is not a scope of the catalogue" }]
          }
        })
        assert.strictEqual((yield* apps({ scopes: ["contacts.read"] })).status, 201)
      }))

    it.effect("asks its users in its words, and lets a token do what its scope includes", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        assert.deepStrictEqual((yield* kit.app()).scopes, scopes("account.read contacts.read"))
        const app = yield* kit.app({ scopes: scopes("account.read contacts.write") })
        const user = yield* kit.user()
        const { cookie } = yield* kit.session(user)
        const asking = new URLSearchParams({
          client_id: app.clientId,
          redirect_uri: app.redirectUri,
          scope: "account.read contacts.write"
        })
        const consent = yield* Effect.flatMap(get(`/auth/oauth2/authorize?${asking}`, { cookie }), textOf)
        assert.include(consent, "See who you are")
        assert.include(consent, "Change your contacts")

        const tokens = yield* kit.tokens({ app, user })
        assert.deepStrictEqual(tokens.scopes, ["account.read", "contacts.write"])
        const authorization = `Bearer ${tokens.accessToken}`
        assert.strictEqual((yield* get("/v2/me", { authorization })).status, 200)
        assert.strictEqual((yield* get("/v2/auth/oauth2/userinfo", { authorization })).status, 200)
        const narrow = yield* kit.tokens({ app, user, scopes: scopes("contacts.write") })
        const withoutProfile = yield* get("/v2/me", { authorization: `Bearer ${narrow.accessToken}` })
        assert.strictEqual(withoutProfile.status, 403)
        assert.include(withoutProfile.headers.get("www-authenticate") ?? "", "scope=\"account.read contacts.write\"")

        const check = (method: string, target: string, headers: Record<string, string> = { authorization }) =>
          Effect.map(
            get("/v2/auth/oauth2/check/nginx", { "x-original-method": method, "x-original-uri": target, ...headers }),
            ({ status }) => status
          )
        assert.strictEqual(yield* check("GET", "/api/contacts/7"), 200)
        assert.strictEqual(yield* check("DELETE", "/api/contacts/7"), 200)
        assert.strictEqual(yield* check("GET", "/api/deals"), 403)
        assert.strictEqual(yield* check("GET", "/api/deals", {}), 401)
        assert.strictEqual(yield* check("GET", "/api/health", {}), 200)
        assert.strictEqual(yield* check("GET", "/v2/bookings"), 403)
        assert.strictEqual(yield* check("POST", "/v2/bookings", {}), 403)

        const [mail] = (yield* kit.mails).filter(({ to }) => to.address === user.email)
        assert.include(mail?.text, "- Change your contacts (contacts.write)")

        const connection = yield* Effect.flatMap(get(`/connections/apps/${app.clientId}`, { cookie }), textOf)
        assert.include(connection, "Change your contacts")
      }))

    it.effect("reviews in its words, and finds apps by the beginning of a scope", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        const app = yield* kit.app({ status: "pending", scopes: scopes("members.write notes.read") })
        const { cookie } = yield* kit.session(yield* kit.user({ role: "reviewer" }))
        const page = yield* Effect.flatMap(get(`/review/${app.clientId}`, { cookie }), textOf)
        assert.include(page, "Manage the members of your workspace <code>members.write</code>")
        for (const search of ["members.", "Members.Write"]) {
          assert.include(yield* Effect.flatMap(get(`/review?search=${search}`, { cookie }), textOf), app.name)
        }
        assert.notInclude(yield* Effect.flatMap(get("/review?search=files.", { cookie }), textOf), app.name)
      }))

    it.effect("takes an app of the time before scopes, and knows its own names mistyped", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        const app = yield* kit.app({ legacy: true })
        const user = yield* kit.user()
        const tokens = yield* kit.tokens({ app, user })
        const authorization = `Bearer ${tokens.accessToken}`
        assert.strictEqual((yield* get("/v2/me", { authorization })).status, 200)
        const asked = (scope: string) =>
          Effect.map(
            kit.consent(
              `/auth/oauth2/authorize?${new URLSearchParams({
                client_id: app.clientId,
                redirect_uri: app.redirectUri,
                scope
              })}`,
              user
            ),
            ({ searchParams }) => searchParams.get("error") ?? "none"
          )
        assert.strictEqual(yield* asked("calendar.read"), "invalid_scope")
        assert.strictEqual(yield* asked("contacts.raed"), "none")
        assert.strictEqual(yield* asked("contact.read"), "invalid_scope")
        assert.strictEqual(yield* asked("BOOKING_READ offline_access"), "none")
      }))

    it.effect("names its scopes and its API where programs and people look", () =>
      Effect.gen(function*() {
        const metadata = yield* Effect.flatMap(get("/.well-known/oauth-authorization-server"), json)
        assert.deepInclude(metadata, { scopes_supported: [...crm.names] })
        const resource = yield* Effect.flatMap(get("/.well-known/oauth-protected-resource"), json)
        assert.deepInclude(resource, { scopes_supported: ["account.read"], resource_name: "The Orbit CRM API" })
        const openapi = yield* Effect.flatMap(get("/openapi.json"), textOf)
        assert.include(openapi, JSON.stringify({ type: "string", enum: crm.names }))
        assert.include(openapi, JSON.stringify([{ slotkey: ["account.read"] }]))
        const { valid } = yield* Effect.promise(() => new Validator().validate(JSON.parse(openapi)))
        assert.isTrue(valid)
        const map = yield* Effect.flatMap(get("/docs/scopes"), textOf)
        assert.include(map, "12 scopes, 40 operations.")
        // What there is none of has no place on the page, and no link to one.
        const targets = Array.from(map.matchAll(/href="#([^"]*)"/g), ([, id]) => `id="${id}"`)
        assert.include(targets, "id=\"closed\"")
        for (const target of targets) assert.include(map, target)
        assert.include(map, "placeholder=\"GET /api/contacts/123, contacts.read, contacts …\"")
        assert.include(map, "/api/workspaces/{workspaceId}/members")
        assert.include(map, "copies of everything are for backups alone")
        assert.include(yield* Effect.flatMap(get("/"), textOf), "use your Orbit account")
      }))
  }
)

const Embedded = LocalServices.pipe(
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(catalogueLayer(crmCatalogue)),
  Layer.provideMerge(AppConfig.layerTest())
)

layer(Embedded)("a program that embeds the server with a catalogue of its own", (it) => {
  it.effect("serves by it, and its routes and services have the same", () =>
    Effect.gen(function*() {
      const send = yield* Testing.server
      const [metadata, map] = yield* Effect.forEach(
        ["/.well-known/oauth-authorization-server", "/docs/scopes?q=members"],
        (path) => Effect.flatMap(send(new Request(`${baseUrl}${path}`)), textOf)
      )
      assert.include(metadata, "\"contacts.read\"")
      assert.include(map, "/api/workspaces/{workspaceId}/members/{memberId}")
      assert.notMatch(`${metadata}${map}`, builtInName)
    }))
})

describe("two servers in one process", () => {
  it("have a catalogue each", async () => {
    await using own = await Testing.start({ catalogue: crmCatalogue })
    await using builtIn = await Testing.start()
    const supported = async (server: typeof own) => {
      const metadata: unknown = await (await server.fetch("/.well-known/oauth-authorization-server")).json()
      return JSON.stringify(metadata)
    }
    for (const server of [own, builtIn, own]) {
      assert.strictEqual((await supported(server)).includes("contacts.read"), server === own)
      assert.strictEqual((await supported(server)).includes("BOOKING_READ"), server === builtIn)
    }
    assert.deepStrictEqual((await own.tokens()).scopes, ["account.read", "contacts.read"])
    assert.deepStrictEqual((await builtIn.tokens()).scopes, ["BOOKING_READ", "PROFILE_READ"])
  }, 60_000)

  it("is asked by guards that have its catalogue or fetch it, beside one that has another", async () => {
    await using own = await Testing.start({ catalogue: crmCatalogue })
    const credential = await own.credential()
    const { accessToken } = await own.tokens()
    const fetch: typeof globalThis.fetch = (input, init) => own.fetch(input, init)
    const guards = await Promise.all([
      makeGuard({ baseUrl, credential, catalogue: crmCatalogue }, fetch),
      makeOfflineGuard({ baseUrl, catalogue: crmCatalogue }, fetch),
      makeGuard({ baseUrl, credential, catalogue: "fetch" }, fetch),
      makeOfflineGuard({ baseUrl, catalogue: "fetch" }, fetch),
      makeGuard({ baseUrl, credential }, fetch)
    ])
    const statuses = (target: string) =>
      Promise.all(guards.map(async (guard) => {
        const verdict = await guard.check({ method: "GET", target, authorization: `Bearer ${accessToken}` })
        return verdict.allowed ? 200 : verdict.status
      }))
    assert.deepStrictEqual(await statuses("/api/contacts"), [200, 200, 200, 200, 403])
    assert.deepStrictEqual(await statuses("/api/deals"), [403, 403, 403, 403, 403])
    assert.deepStrictEqual(await statuses("/v2/bookings/7"), [403, 403, 403, 403, 200])
    await Promise.all(guards.map((guard) => guard.close()))
  }, 60_000)

  it("stop before they start with a catalogue that is not usable, and so do guards", async () => {
    const broken = { ...crmCatalogue, profile: { scope: "acount.read" } }
    const message = await Testing.start({ catalogue: broken }).then(() => "started", String)
    assert.match(message, /The catalogue is not usable:\n\s+profile.scope: "acount.read" is no scope here/)
    for (
      const make of [makeOfflineGuard, (own: { catalogue: object }) => makeGuard({ baseUrl, credential: "", ...own })]
    ) {
      const refusal = await make({ baseUrl, catalogue: broken }).then(() => "made", String)
      assert.match(refusal, /The catalogue is not usable:\n\s+profile.scope: "acount.read" is no scope here/)
    }
  })
})
