import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api, makeClient } from "../../../src/client.ts"
import * as Testing from "../../../src/testing.ts"
import { approvedApp } from "../../support/TestServer.ts"
import { keyHolder, layer as server, legacyApp, visitor } from "./Scenario.ts"

const registration = {
  kind: "confidential",
  name: "Calendar Sync",
  purpose: "Keeps two calendars in step.",
  website: "https://app.example",
  redirectUris: ["https://app.example/callback"],
  scopes: ["BOOKING_READ", "PROFILE_READ"]
} as const

/** A `fetch` that calls the server under test. */
const fetchLayer = Layer.effect(
  FetchHttpClient.Fetch,
  Effect.gen(function*() {
    const send = yield* Testing.server
    const run = Effect.runPromiseWith(yield* Effect.context())
    return (input: RequestInfo | URL, init?: RequestInit) => run(send(new Request(input, init)))
  })
)

/** Typed client of the contract, with these headers. */
const clientWith = (headers: Readonly<Record<string, string>>) =>
  HttpApiClient.make(Api, {
    baseUrl: "https://slotkey.test",
    transformClient: HttpClient.mapRequest(HttpClientRequest.setHeaders(headers))
  })

/** Typed client of a person with this header, or of nobody. */
const client = (authorization?: string) =>
  makeClient({
    baseUrl: "https://slotkey.test",
    ...authorization !== undefined && { token: Redacted.make(authorization.replace("Bearer ", "")) }
  })

layer(FetchHttpClient.layer.pipe(Layer.provide(fetchLayer), Layer.provideMerge(server)))(
  "the typed client of the contract",
  (it) => {
    it.effect("registers an app, finds and edits it, and rotates its secret", () =>
      Effect.gen(function*() {
        const { oauthClients } = yield* client((yield* keyHolder()).authorization)
        const { data: app } = yield* oauthClients.register({ payload: registration })
        const params = { id: app.id }
        assert.deepStrictEqual((yield* oauthClients.list({ query: {} })).data.map(({ id }) => id), [app.id])

        const { data: edited } = yield* oauthClients.edit({ params, payload: { purpose: "Keeps three in step." } })
        assert.deepStrictEqual([edited.purpose, edited.status], ["Keeps three in step.", "pending"])
        const stale = yield* Effect.flip(oauthClients.edit({ params, payload: { name: "Late", version: app.version } }))
        assert.strictEqual(stale._tag, "Conflict")
        const faulty = yield* Effect.flip(
          oauthClients.edit({ params, payload: { redirectUris: ["com.example.app:/callback"] } })
        )
        assert.deepInclude(faulty, { _tag: "BadRequest", code: "invalid_input" })

        const { data: [first] } = yield* oauthClients.listSecrets({ params })
        const { data: second } = yield* oauthClients.generateSecret({ params, payload: null })
        assert.match(second.secret, /^slk_secret_/)
        yield* oauthClients.revokeSecret({ params: { ...params, secretId: first?.id ?? "" } })
        const last = yield* Effect.flip(oauthClients.revokeSecret({ params: { ...params, secretId: second.id } }))
        assert.deepInclude(last, { _tag: "Conflict", code: "last_secret" })

        yield* oauthClients.remove({ params })
        assert.strictEqual((yield* Effect.flip(oauthClients.get({ params })))._tag, "NotFound")
      }))

    it.effect("decides about an app, and tells who may not", () =>
      Effect.gen(function*() {
        const owner = yield* client((yield* keyHolder()).authorization)
        const admin = yield* client((yield* keyHolder("admin")).authorization)
        const { data: { id, version } } = yield* owner.oauthClients.register({ payload: registration })
        const decision = { params: { id }, payload: { version } }
        assert.strictEqual((yield* Effect.flip(owner.review.approve(decision)))._tag, "Forbidden")

        const { data: queue } = yield* admin.review.queue({ query: { state: "waiting", search: id } })
        assert.deepStrictEqual(queue.clients.map((app) => app.id), [id])
        const { data: app } = yield* admin.review.review({ params: { id } })
        assert.strictEqual(app.owner?.id, app.ownerId)
        assert.strictEqual((yield* admin.review.approve(decision)).data.status, "approved")
        assert.deepInclude(yield* Effect.flip(admin.review.approve(decision)), { _tag: "Conflict" })
      }))

    it.effect("makes and refreshes the account of a platform's user, with the same value for both", () =>
      Effect.gen(function*() {
        const { identities } = yield* client((yield* keyHolder("admin")).authorization)
        const query = { issuer: "https://id.platform.test", subject: "typed" }
        const { data: made } = yield* identities.put({ query, payload: { name: "Ann" } })
        const { data: again } = yield* identities.put({ query, payload: { name: "Ann" } })
        assert.strictEqual(made.account.name, "Ann")
        assert.deepStrictEqual(again, made)
      }))

    it.effect("makes, lists and revokes API keys", () =>
      Effect.gen(function*() {
        const { cookie, csrf } = yield* visitor
        const { apiKeys } = yield* clientWith({ cookie, "x-csrf-token": csrf })
        const expiresAt = DateTime.add(yield* DateTime.now, { days: 90 })
        const { data: { id, key } } = yield* apiKeys.create({ payload: { name: "CI", expiresAt } })
        const other = yield* client(`Bearer ${key}`)
        assert.deepStrictEqual((yield* other.apiKeys.list()).data.map((one) => one.expiresAt), [expiresAt])
        assert.deepInclude(yield* Effect.flip(other.apiKeys.create({ payload: { name: "another" } })), {
          _tag: "Forbidden",
          code: "session_required"
        })
        yield* apiKeys.revoke({ params: { id } })
        assert.deepInclude(yield* Effect.flip(other.apiKeys.list()), { _tag: "Unauthorized", code: "invalid_api_key" })
      }))

    it.effect("reads how far a legacy app is on its way to scopes, and takes saved ones back", () =>
      Effect.gen(function*() {
        const { id, owner: { authorization } } = yield* legacyApp
        const { oauthClientMigration, oauthClients } = yield* client(authorization)
        const params = { id }
        const { data: before } = yield* oauthClientMigration.state({ params, query: {} })
        assert.deepStrictEqual([before.legacy, before.audit?.verdict], [true, "too-early"])
        yield* oauthClients.edit({ params, payload: { scopes: ["PROFILE_READ"], breakOldUrls: true } })
        assert.isFalse((yield* oauthClientMigration.state({ params, query: {} })).data.legacy)
        assert.isTrue((yield* oauthClientMigration.undo({ params, payload: {} })).data.legacy)
      }))

    it.effect("exchanges a code, refreshes, asks about and revokes tokens, with typed errors", () =>
      Effect.gen(function*() {
        const { tokens } = yield* client()
        const { code, credentials, exchangeOf, secret } = yield* approvedApp()
        const exchange = {
          ...exchangeOf(yield* code()),
          grant_type: "authorization_code",
          client_secret: secret
        } as const
        const issued = yield* tokens.token({ payload: exchange })
        assert.deepInclude(issued, { token_type: "bearer", expires_in: 1800, scope: "BOOKING_READ PROFILE_READ" })

        const refresh = { ...credentials, client_secret: secret, grant_type: "refresh_token" } as const
        const next = yield* tokens.token({ payload: { ...refresh, refresh_token: issued.refresh_token } })
        const spent = yield* Effect.flip(tokens.token({ payload: { ...refresh, refresh_token: "none" } }))
        assert.deepInclude(spent, { _tag: "InvalidGrant", error: "invalid_grant" })
        const wider = { ...refresh, refresh_token: next.refresh_token, scope: "TEAM_PROFILE_READ" }
        assert.strictEqual((yield* Effect.flip(tokens.token({ payload: wider })))._tag, "InvalidScope")
        const wrong = { ...refresh, client_secret: "wrong", refresh_token: next.refresh_token }
        assert.strictEqual((yield* Effect.flip(tokens.token({ payload: wrong })))._tag, "InvalidClient")

        const about = { client_id: credentials.client_id, client_secret: secret, token: next.access_token }
        assert.isTrue((yield* tokens.introspect({ payload: about })).active)
        assert.deepStrictEqual(yield* tokens.revoke({ payload: about }), {})
        assert.deepStrictEqual(yield* tokens.introspect({ payload: about }), { active: false })
      }))

    it.effect("reads the metadata of the server, of its keys and of the API", () =>
      Effect.gen(function*() {
        const { metadata, resource } = yield* client()
        const server = yield* metadata.server()
        assert.strictEqual(server.token_endpoint, "https://slotkey.test/v2/auth/oauth2/token")
        assert.isNotEmpty((yield* metadata.keys()).keys)
        assert.deepStrictEqual((yield* resource.metadata()).authorization_servers, [server.issuer])
      }))

    it.effect("reads the profile of the user, and is told what a token lacks", () =>
      Effect.gen(function*() {
        const { tokens, user } = yield* approvedApp()
        const { me } = yield* client(`Bearer ${(yield* tokens())["access_token"]}`)
        assert.strictEqual((yield* me.read()).data.id, user)
        const narrow = yield* client(`Bearer ${(yield* tokens({ scopes: ["BOOKING_READ"] }))["access_token"]}`)
        const refused = yield* Effect.flip(narrow.me.read())
        assert.deepInclude(refused, { _tag: "CallRefused", code: "insufficient_scope" })
      }))

    it.effect("asks the gateway's question, and learns who calls", () =>
      Effect.gen(function*() {
        const { client: app, tokens, user } = yield* approvedApp()
        const { gateway } = yield* client(`Bearer ${(yield* tokens())["access_token"]}`)
        const call = (uri: string) => ({ headers: { "x-original-method": "GET", "x-original-uri": uri } })
        const { headers } = yield* gateway.nginx(call("/v2/bookings"))
        assert.deepInclude(headers, { "x-slotkey-user": user, "x-slotkey-client": app.id })
        assert.strictEqual((yield* Effect.flip(gateway.nginx(call("/v2/schedules"))))._tag, "CallRefused")
      }))
  }
)
