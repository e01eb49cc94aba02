// @effect-diagnostics strictEffectProvide:off
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { decodeJwt } from "jose"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import type { Resource } from "../../src/core/resources/Resource.ts"
import { Resources } from "../../src/core/resources/Resources.ts"
import { AccessCheck } from "../../src/core/tokens/AccessCheck.ts"
import { ResourceServers } from "../../src/core/tokens/ResourceServers.ts"
import { cookieName } from "../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { layerRemote, makeGuard, makeOfflineGuard } from "../../src/resource.ts"
import { decide } from "../support/ConsentPage.ts"
import * as Live from "../support/LiveServer.ts"

const redirectUri = "https://buddy.example/callback"

let count = 0

/** A registered resource. */
const newResource = Effect.fnUntraced(function*(input: { readonly identifier?: string } = {}) {
  const resources = yield* Resources
  return yield* Effect.orDie(resources.create("cli", {
    identifier: `https://mcp-${count++}.example.com/mcp`,
    name: "Calendar MCP",
    scopes: ["BOOKING_READ", "BOOKING_WRITE", "PROFILE_READ"],
    baseScopes: ["BOOKING_READ"],
    ...input
  }))
})

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly error?: string
  readonly error_description?: string
}

/** An app and its user, who allows whatever it asks. */
const newApp = Effect.fnUntraced(function*() {
  const { url } = yield* Live.LiveServer
  const { client, secret } = yield* Live.newApp({ scopes: ["PROFILE_READ", "BOOKING_READ", "WEBHOOK_READ"] })
  const user = yield* Live.newAccount()
  const addressOf = (asked: Readonly<Record<string, string>>) => {
    const query = { response_type: "code", client_id: client.id, redirect_uri: redirectUri, scope: "BOOKING_READ" }
    return `${url}/auth/oauth2/authorize?${new URLSearchParams({ ...query, ...asked })}`
  }
  const authorize = (asked: Readonly<Record<string, string>>, more = "") =>
    Effect.map(
      decide(user, `${addressOf(asked)}${more}`, "allow"),
      ({ searchParams }): Readonly<Record<string, string>> => Object.fromEntries(searchParams)
    )
  /** What the user sees of a request. */
  const page = Effect.fnUntraced(function*(asked: Readonly<Record<string, string>>) {
    const session = Redacted.value(yield* (yield* Sessions).start(user.id))
    return yield* get(addressOf(asked), { cookie: `${cookieName(yield* AppConfig)}=${session}` })
  })
  const token = (fields: Readonly<Record<string, string>>, more = "") =>
    Effect.promise(async () => {
      const body = new URLSearchParams({ client_id: client.id, client_secret: secret, ...fields })
      const headers = { "content-type": "application/x-www-form-urlencoded" }
      const response = await fetch(`${url}/v2/auth/oauth2/token`, { method: "POST", headers, body: `${body}${more}` })
      return await response.json() as Tokens
    })
  const exchange = (code = "", fields: Readonly<Record<string, string>> = {}, more = "") =>
    token({ grant_type: "authorization_code", code, redirect_uri: redirectUri, ...fields }, more)
  const refresh = (refresh_token: string, fields: Readonly<Record<string, string>> = {}) =>
    token({ grant_type: "refresh_token", refresh_token, ...fields })
  const connect = Effect.fnUntraced(function*(resource?: string) {
    const { code } = yield* authorize(resource === undefined ? {} : { resource })
    return yield* exchange(code)
  })
  return { authorize, connect, exchange, page, refresh }
})

const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, { headers, redirect: "manual" })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Check of a call of the resource, as its gateway asks for it. */
const check = Effect.fnUntraced(function*({ id }: Resource, token: string | undefined, scopes = "") {
  const { url } = yield* Live.LiveServer
  return yield* get(`${url}/v2/auth/oauth2/check/resources/${id}${scopes}/forwarded`, {
    ...token === undefined ? {} : bearer(token),
    "x-forwarded-method": "POST",
    "x-forwarded-uri": "/mcp?resource=https://other.example&scopes=x"
  })
})

const introspect = Effect.fnUntraced(function*(credential: string, token: string) {
  const { url } = yield* Live.LiveServer
  return yield* Effect.promise(async () => {
    const body = new URLSearchParams({ token })
    const answer = await fetch(`${url}/v2/auth/oauth2/introspect`, {
      method: "POST",
      headers: bearer(credential),
      body
    })
    return await answer.json() as { readonly active: boolean; readonly aud?: string }
  })
})

layer(Live.layer(), { excludeTestServices: true })("resources (RFC 8707)", (it) => {
  describe("at the authorization endpoint", () => {
    it.effect("are refused by redirect where they are unknown, relative or have a fragment, and taken one at a time", () =>
      Effect.gen(function*() {
        const { authorize, exchange } = yield* newApp()
        const { identifier } = yield* newResource()
        for (const resource of ["https://other.example/mcp", "/mcp", `${identifier}#x`, "mcp", `${identifier}/x`]) {
          assert.strictEqual((yield* authorize({ resource }))["error"], "invalid_target", resource)
        }
        const twice = yield* authorize({ resource: identifier }, `&resource=${encodeURIComponent(identifier)}`)
        assert.strictEqual(twice["error"], "invalid_request")
        assert.include(twice["error_description"], "takes one resource")
        const { code } = yield* authorize({ resource: identifier })
        const several = yield* exchange(code, {}, `&resource=${identifier}&resource=${identifier}`)
        assert.strictEqual(several.error, "invalid_request")
        assert.include(several.error_description, "takes one resource")
        // Which left the code unspent.
        assert.strictEqual(decodeJwt((yield* exchange(code)).access_token).aud, identifier)
      }))

    it.effect("are found in whatever form a library writes them, and the API by its own address", () =>
      Effect.gen(function*() {
        const { url } = yield* Live.LiveServer
        const { connect } = yield* newApp()
        const { identifier } = yield* newResource({ identifier: `https://MCP-${count++}.example.com:443/` })
        assert.notInclude(identifier, ":443")
        assert.strictEqual(decodeJwt((yield* connect(`${identifier}/`)).access_token).aud, identifier)
        for (const resource of [url, `${url}/`, undefined]) {
          assert.strictEqual(decodeJwt((yield* connect(resource)).access_token).aud, url)
        }
      }))

    it.effect("have the scopes that are registered for them, and users are asked for each by its name", () =>
      Effect.gen(function*() {
        const { authorize, connect, page } = yield* newApp()
        const { identifier } = yield* newResource()
        yield* connect()
        // What was allowed for the API is not for the resource.
        const asked = yield* page({ resource: identifier })
        assert.strictEqual(asked.status, 200)
        assert.include(asked.text, "<bdi>Calendar MCP</bdi>")
        assert.notInclude(asked.text, "You have allowed all of this before")
        yield* connect(identifier)
        assert.strictEqual((yield* page({ resource: identifier })).status, 303)
        const wider = yield* authorize({ resource: identifier, scope: "BOOKING_READ WEBHOOK_READ" })
        assert.strictEqual(wider["error"], "invalid_scope")
        assert.include(wider["error_description"], "WEBHOOK_READ")
      }))
  })

  describe("at the token endpoint", () => {
    it.effect("are the grant's own or unnamed, and a wrong one spends nothing", () =>
      Effect.gen(function*() {
        const { url } = yield* Live.LiveServer
        const { authorize, exchange, refresh } = yield* newApp()
        const { identifier } = yield* newResource()
        const other = yield* newResource()
        const { code } = yield* authorize({ resource: identifier })
        for (const resource of [other.identifier, url, "https://nowhere.example", `${identifier}#a`]) {
          assert.strictEqual((yield* exchange(code, { resource })).error, "invalid_target", resource)
        }
        const tokens = yield* exchange(code, { resource: identifier })
        assert.strictEqual(decodeJwt(tokens.access_token).aud, identifier)
        for (const resource of [other.identifier, url, "relative"]) {
          assert.strictEqual((yield* refresh(tokens.refresh_token, { resource })).error, "invalid_target", resource)
        }
        const named = yield* refresh(tokens.refresh_token, { resource: identifier })
        assert.strictEqual(decodeJwt(named.access_token).aud, identifier)
        assert.strictEqual(decodeJwt((yield* refresh(named.refresh_token)).access_token).aud, identifier)
        const ofApi = yield* authorize({})
        assert.strictEqual((yield* exchange(ofApi["code"], { resource: identifier })).error, "invalid_target")
        assert.strictEqual(decodeJwt((yield* exchange(ofApi["code"], { resource: url })).access_token).aud, url)
      }))
  })

  describe("where tokens are checked", () => {
    it.effect("a token of one is none of another's, nor of the API's, at the gateway, the library and introspection", () =>
      Effect.gen(function*() {
        const { url } = yield* Live.LiveServer
        const { connect } = yield* newApp()
        const [here, there] = [yield* newResource(), yield* newResource()]
        const token = (yield* connect(here.identifier)).access_token
        const ofApi = (yield* connect()).access_token

        const passes = yield* check(here, token)
        assert.strictEqual(passes.status, 200)
        assert.strictEqual(passes.headers.get("x-slotkey-scope"), "BOOKING_READ")
        for (const refused of [yield* check(there, token), yield* check(here, ofApi)]) {
          assert.strictEqual(refused.status, 401)
          assert.match(refused.headers.get("www-authenticate") ?? "", /error="invalid_token".* scope="BOOKING_READ"/)
        }
        for (const path of ["/v2/me", "/v2/auth/oauth2/userinfo"]) {
          const refused = yield* get(`${url}${path}`, bearer(token))
          assert.strictEqual(refused.status, 401, path)
          assert.include(refused.headers.get("www-authenticate"), `error="invalid_token"`)
        }
        const atApi = yield* get(`${url}/v2/auth/oauth2/check/forwarded`, {
          ...bearer(token),
          "x-forwarded-method": "GET",
          "x-forwarded-uri": "/v2/bookings/1/references"
        })
        assert.strictEqual(atApi.status, 401)

        const servers = yield* ResourceServers
        const all = Redacted.value((yield* servers.create("all")).credential)
        const bound = Redacted.value((yield* servers.create("one", here.identifier)).credential)
        assert.deepInclude(yield* introspect(all, token), { active: true, aud: here.identifier })
        assert.deepInclude(yield* introspect(all, ofApi), { active: true, aud: url })
        assert.deepInclude(yield* introspect(bound, token), { active: true, aud: here.identifier })
        assert.deepStrictEqual(yield* introspect(bound, ofApi), { active: false })

        // With a credential for all, the library itself compares the audience.
        for (
          const { expected, resource } of [
            { resource: here.identifier, expected: [true, false] },
            { resource: there.identifier, expected: [false, false] },
            { resource: undefined, expected: [false, true] }
          ]
        ) {
          const named = resource === undefined ? {} : { resource }
          const guards = yield* Effect.promise(() =>
            Promise.all([
              makeGuard({ baseUrl: url, credential: all, ...named }),
              makeOfflineGuard({ baseUrl: url, ...named })
            ])
          )
          for (const guard of guards) {
            for (const [at, text] of [token, ofApi].entries()) {
              const verdict = yield* Effect.promise(() =>
                guard.check({ method: "GET", target: "/v2/bookings", authorization: `Bearer ${text}` })
              )
              assert.strictEqual(verdict.allowed, expected[at], `${resource} ${at}`)
            }
            yield* Effect.promise(() => guard.close())
          }
          const program = Effect.flatMap(AccessCheck, (remote) => Effect.exit(remote.check(token)))
          const remote = layerRemote({ baseUrl: url, credential: all, ...named })
          const exit = yield* Effect.provide(program, Layer.provide(remote, NodeHttpClient.layerUndici))
          assert.strictEqual(exit._tag === "Success", expected[0])
        }
      }))

    it.effect("the gateway's configuration names the scopes, and a refusal those of the token with them", () =>
      Effect.gen(function*() {
        const { url } = yield* Live.LiveServer
        const { connect } = yield* newApp()
        const resource = yield* newResource()
        const { access_token: token } = yield* connect(resource.identifier)
        assert.strictEqual((yield* check(resource, token, "/scopes/BOOKING_READ")).status, 200)
        const refused = yield* check(resource, token, "/scopes/BOOKING_READ,PROFILE_READ")
        assert.strictEqual(refused.status, 403)
        assert.include(
          refused.headers.get("www-authenticate"),
          `scope="BOOKING_READ PROFILE_READ", resource_metadata="https://mcp-`
        )
        const bare = yield* check(resource, undefined, "/scopes/PROFILE_READ")
        assert.include(bare.headers.get("www-authenticate"), `Bearer scope="PROFILE_READ"`)
        assert.strictEqual((yield* check(resource, token, "/scopes/NO_SCOPE")).status, 400)
        const envoy = yield* get(`${url}/v2/auth/oauth2/check/resources/${resource.id}/envoy/mcp?a=b`, bearer(token))
        assert.strictEqual(envoy.status, 200)
        assert.strictEqual((yield* check({ ...resource, id: "none" }, token)).status, 400)
      }))
  })

  it.effect("end with all that was given for them, on the next call", () =>
    Effect.gen(function*() {
      const resources = yield* Resources
      const { authorize, connect, exchange, refresh } = yield* newApp()
      const resource = yield* newResource()
      const { access_token, refresh_token } = yield* connect(resource.identifier)
      const ofApi = yield* connect()
      const { code } = yield* authorize({ resource: resource.identifier })
      const servers = yield* ResourceServers
      const all = Redacted.value((yield* servers.create("all")).credential)
      assert.strictEqual((yield* resources.usage(resource)).grants, 1)
      assert.deepStrictEqual(yield* Effect.orDie(resources.remove("cli", resource.id)), { grants: 1 })

      assert.notStrictEqual((yield* check(resource, access_token)).status, 200)
      assert.deepStrictEqual(yield* introspect(all, access_token), { active: false })
      assert.strictEqual((yield* refresh(refresh_token)).error, "invalid_grant")
      assert.strictEqual((yield* exchange(code)).error, "invalid_grant")
      assert.strictEqual((yield* authorize({ resource: resource.identifier }))["error"], "invalid_target")
      assert.isString((yield* refresh(ofApi.refresh_token)).access_token)
      // One that is registered again has none of it.
      yield* newResource({ identifier: resource.identifier })
      assert.deepStrictEqual(yield* introspect(all, access_token), { active: false })
    }))

  it.effect("tell clients where they are, each with its base set", () =>
    Effect.gen(function*() {
      const { url } = yield* Live.LiveServer
      const resources = yield* Resources
      const { identifier } = yield* newResource({ identifier: `https://meta.example.com/mcp/${count++}` })
      const { pathname } = new URL(identifier)
      const { text } = yield* get(`${url}/.well-known/oauth-protected-resource${pathname}`)
      assert.deepInclude(JSON.parse(text), {
        resource: identifier,
        authorization_servers: [url],
        scopes_supported: ["BOOKING_READ"],
        resource_name: "Calendar MCP"
      })
      assert.strictEqual((yield* get(`${url}/.well-known/oauth-protected-resource/nowhere`)).status, 404)
      const api = yield* get(`${url}/.well-known/oauth-protected-resource`)
      assert.deepInclude(JSON.parse(api.text), { resource: url, scopes_supported: ["PROFILE_READ"] })
      const server = yield* get(`${url}/.well-known/oauth-authorization-server`)
      const { protected_resources } = JSON.parse(server.text)
      assert.sameMembers(protected_resources, [
        url,
        ...(yield* resources.list).map(({ identifier }) => identifier)
      ])
    }))

  it.effect("are registered with an address that clients can ask, and with scopes of the catalogue", () =>
    Effect.gen(function*() {
      const { url } = yield* Live.LiveServer
      const resources = yield* Resources
      const right = {
        identifier: "https://right.example",
        name: "Right",
        scopes: ["BOOKING_READ"],
        baseScopes: ["BOOKING_READ"]
      }
      for (
        const wrong of [
          ...["mcp", "http://mcp.example", "urn:mcp", "https://a@mcp.example", "https://mcp.example/#x", url].map(
            (identifier) => ({ identifier })
          ),
          { identifier: "https://mcp.example/?a" },
          { scopes: [] },
          { scopes: ["NO_SCOPE"] },
          { baseScopes: ["PROFILE_READ"] },
          { name: "" }
        ]
      ) {
        const refused = yield* Effect.flip(resources.create("cli", { ...right, ...wrong }))
        assert.strictEqual(refused._tag, "BadRequest", JSON.stringify(wrong))
      }
      const made = yield* Effect.orDie(resources.create("cli", right))
      assert.strictEqual((yield* Effect.flip(resources.create("cli", right)))._tag, "Conflict")
      const edit = yield* Effect.orDie(resources.edit("cli", made.id, { name: "Other" }))
      assert.deepInclude(edit, { name: "Other", identifier: right.identifier, scopes: right.scopes })
      assert.strictEqual((yield* Effect.flip(resources.edit("cli", made.id, { scopes: [] })))._tag, "BadRequest")
      assert.strictEqual((yield* Effect.flip(resources.remove("cli", "none")))._tag, "NotFound")
      yield* Effect.orDie(resources.remove("cli", made.id))
    }))
})
