import { assert, describe, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { nobody } from "../../../../src/core/clients/records/Nobody.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { reviewChecks } from "../../../../src/core/clients/review/ReviewChecks.ts"
import { ReviewWishes } from "../../../../src/core/clients/review/ReviewWishes.ts"
import { CodeStore } from "../../../../src/core/grants/CodeStore.ts"
import { ClientId } from "../../../../src/domain/Ids.ts"
import { newAccount } from "../../../core/clients/Scenario.ts"
import { challenge, verifier } from "../../../core/tokens/Fixture.ts"
import { assertRefused, layer as server, serverClient } from "../../../support/TestServer.ts"
import { callback, endpoint, initialToken, managed, register, sendJson } from "./Scenario.ts"

const metadataOf = Effect.flatMap(serverClient, ({ ask }) => ask("/.well-known/oauth-authorization-server"))

/** Example of RFC 7591 §3.1, with what it asks for that this server has. */
const example = {
  redirect_uris: [callback, "https://client.example.org/callback2"],
  client_name: "My Example Client",
  "client_name#ja-Jpan-JP": "クライアント名",
  token_endpoint_auth_method: "client_secret_basic",
  logo_uri: "https://client.example.org/logo.png",
  jwks_uri: "https://client.example.org/my_public_keys.jwks",
  example_extension_parameter: "example_value"
}

const publicApp = { redirect_uris: ["http://127.0.0.1/callback"], token_endpoint_auth_method: "none" }

const open = server({ DYNAMIC_REGISTRATION: "open", REGISTRATION_BUDGET: "100000" })

const askFor = Effect.fnUntraced(function*(id: string) {
  const user = yield* newAccount("user")
  yield* (yield* ReviewWishes).ask(user, ClientId.make(id), ["PROFILE_READ"], "I need it.")
  return user
}, Effect.orDie)

/** Approves an app as a reviewer does once a user has asked for it. */
const approve = Effect.fnUntraced(function*(id: string) {
  const admin = yield* newAccount("admin", "admin")
  const user = yield* askFor(id)
  const client = Option.getOrThrow(yield* (yield* ClientRegistry).find(id))
  const approved = yield* (yield* ClientReview).approve(admin, id, client.version)
  return { admin, user, approved }
}, Effect.orDie)

layer(open)("dynamic registration", (it) => {
  it.effect("registers the example of RFC 7591: pending, nobody's, and of no use before its review", () =>
    Effect.gen(function*() {
      const answer = yield* register(example)
      const { headers, json, status } = answer
      assert.strictEqual(status, 201)
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.strictEqual(headers.get("access-control-allow-origin"), "*")
      const { client_id, client_id_issued_at, client_secret, registration_access_token, ...rest } = json
      assert.match(String(client_id), /^slk_client_/)
      assert.match(String(client_secret), /^slk_secret_/)
      assert.match(String(registration_access_token), /^slk_registration_/)
      assert.isTrue(Number.isInteger(client_id_issued_at))
      assert.deepStrictEqual(rest, {
        redirect_uris: example.redirect_uris,
        client_name: "My Example Client",
        logo_uri: example.logo_uri,
        grant_types: ["authorization_code"],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_basic",
        review_status: "pending",
        client_secret_expires_at: 0,
        registration_client_uri: `https://slotkey.test${endpoint}/${client_id}`
      })
      const found = Option.getOrThrow(yield* (yield* ClientRegistry).find(String(client_id)))
      assert.deepInclude(found, { status: "pending", ownerId: nobody, origin: "dynamic", logoUrl: null })
      const { ask, token } = yield* serverClient
      const fields = { grant_type: "refresh_token", refresh_token: "x" }
      assertRefused(
        yield* token({ ...fields, client_id: String(client_id), client_secret: String(client_secret) }),
        400,
        "unauthorized_client"
      )
      const query = new URLSearchParams({ client_id: String(client_id), redirect_uri: callback, response_type: "code" })
      assert.notInclude(
        [302, 303].map(String),
        String((yield* ask(`/auth/oauth2/authorize?${query}`)).headers.get("location"))
      )
    }))

  it.effect("shows no secret again, and knows each app by its own token alone", () =>
    Effect.gen(function*() {
      const { path, read, remove, token } = managed(yield* register(example))
      const other = managed(yield* register(publicApp))
      const { json, status } = yield* read
      assert.strictEqual(status, 200)
      assert.notProperty(json, "client_secret")
      assert.strictEqual(json["registration_access_token"], token)
      for (const wrong of [undefined, "x", other.token, String(token).slice(0, -1)]) {
        for (const method of ["GET", "PUT", "DELETE"]) {
          const refused = yield* sendJson(method, path, method === "PUT" ? example : undefined, wrong)
          assertRefused(refused, 401, "invalid_token")
          assert.match(String(refused.headers.get("www-authenticate")), /^Bearer /)
        }
      }
      assert.strictEqual((yield* remove).status, 204)
      assertRefused(yield* read, 401, "invalid_token")
    }))

  const refusals: ReadonlyArray<readonly [what: string, metadata: unknown, error: string]> = [
    ["no redirect URIs", {}, "invalid_redirect_uri"],
    ["a redirect URI that is a pattern", { redirect_uris: ["https://*.example.org/"] }, "invalid_redirect_uri"],
    ["http elsewhere", { redirect_uris: ["http://client.example.org/"] }, "invalid_redirect_uri"],
    ["a script", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    [
      "eleven redirect URIs",
      { redirect_uris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) },
      "invalid_redirect_uri"
    ],
    ["a private-use scheme of a confidential app", { redirect_uris: ["org.example.app:/cb"] }, "invalid_redirect_uri"],
    ["redirect URIs that are no list", { redirect_uris: callback }, "invalid_redirect_uri"],
    ["a name that deceives", { ...example, client_name: "Test: Slotkey" }, "invalid_client_metadata"],
    ["a name of two lines", { ...example, client_name: "a\nb" }, "invalid_client_metadata"],
    ["an insecure policy", { ...example, policy_uri: "http://a.example/" }, "invalid_client_metadata"],
    ["a contact that is none", { ...example, contacts: ["call us"] }, "invalid_client_metadata"],
    ["another grant type", { ...example, grant_types: ["implicit"] }, "invalid_client_metadata"],
    ["refreshing alone", { ...example, grant_types: ["refresh_token"] }, "invalid_client_metadata"],
    ["another response type", { ...example, response_types: ["token"] }, "invalid_client_metadata"],
    [
      "another authentication",
      { ...example, token_endpoint_auth_method: "private_key_jwt" },
      "invalid_client_metadata"
    ],
    ["a scope that is no text", { ...example, scope: ["PROFILE_READ"] }, "invalid_client_metadata"],
    ["a software statement", { ...example, software_statement: "eyJ.eyJ.x" }, "unapproved_software_statement"],
    ["a software statement that is no text", { ...example, software_statement: {} }, "invalid_software_statement"],
    ["a list", [], "invalid_client_metadata"],
    ["broken JSON", "{", "invalid_client_metadata"]
  ]
  it.effect.each(refusals)("refuses %s", ([, metadata, error]) =>
    Effect.gen(function*() {
      const answer = yield* register(metadata)
      assertRefused(answer, 400, error)
      assert.match(String(answer.json["error_description"]), /^[\x20-\x21\x23-\x5b\x5d-\x7e]{10,}$/)
    }))

  it.effect("refuses bodies of another type or size", () =>
    Effect.gen(function*() {
      assertRefused(
        yield* sendJson("POST", endpoint, "a=b", undefined, { "content-type": "text/plain" }),
        415,
        "invalid_request"
      )
      assertRefused(yield* register({ ...example, padding: "x".repeat(70_000) }), 413, "invalid_request")
    }))

  describe("its management", () => {
    it.effect("replaces all of it before the approval; the kind stays", () =>
      Effect.gen(function*() {
        const answer = yield* register({ ...example, contacts: ["a@b.example"], scope: "BOOKING_READ" })
        const app = managed(answer)
        const { json, status } = yield* app.replace({ redirect_uris: [callback], client_name: "Other" })
        assert.strictEqual(status, 200)
        assert.deepInclude(json, { redirect_uris: [callback], client_name: "Other", scope: "BOOKING_READ" })
        assert.notProperty(json, "contacts")
        assert.notProperty(json, "client_secret")
        const post = { redirect_uris: [callback], token_endpoint_auth_method: "client_secret_post" }
        assert.strictEqual((yield* app.replace({ ...post, client_secret: answer.json["client_secret"] })).status, 200)
        for (
          const refused of [
            { ...post, token_endpoint_auth_method: "none" },
            { ...post, client_secret: "another" },
            { ...post, client_id: "another" },
            { ...post, registration_access_token: app.token },
            { ...post, client_secret_expires_at: 0 }
          ]
        ) assertRefused(yield* app.replace(refused), 400, "invalid_client_metadata")
        assertRefused(yield* app.replace({ redirect_uris: ["x:"] }), 400, "invalid_redirect_uri")
      }))

    it.effect("moves no rights of an approved app: what widens it waits, what narrows it holds at once", () =>
      Effect.gen(function*() {
        const uris = [callback, `${callback}2`]
        const answer = yield* register({ redirect_uris: uris, client_name: `Right ${crypto.randomUUID()}` })
        const app = managed(answer)
        yield* approve(app.id)
        const name = answer.json["client_name"]
        assert.deepInclude((yield* app.read).json, { review_status: "approved", scope: "PROFILE_READ" })

        const wider = {
          redirect_uris: [callback, "https://evil.example/"],
          client_name: "Slotkey Official",
          scope: "PROFILE_READ BOOKING_WRITE"
        }
        const { json } = yield* app.replace(wider)
        assert.deepInclude(json, {
          redirect_uris: [callback],
          client_name: name,
          scope: "PROFILE_READ",
          review_status: "approved",
          change_status: "pending"
        })
        const { json: back } = yield* app.replace({
          redirect_uris: [callback],
          client_name: name,
          scope: "PROFILE_READ"
        })
        assert.notProperty(back, "change_status")
      }))

    it.effect("ends what users gave when the app deletes itself", () =>
      Effect.gen(function*() {
        const answer = yield* register({ redirect_uris: [callback], client_name: `End ${crypto.randomUUID()}` })
        const app = managed(answer)
        const { approved, user } = yield* approve(app.id)
        const code = yield* (yield* CodeStore).issue({
          clientId: approved.id,
          userId: user,
          scopes: ["PROFILE_READ"],
          redirectUri: callback,
          codeChallenge: challenge
        })
        const { me, token } = yield* serverClient
        const { json } = yield* token({
          grant_type: "authorization_code",
          client_id: app.id,
          client_secret: String(answer.json["client_secret"]),
          code: Redacted.value(code),
          redirect_uri: callback,
          code_verifier: verifier
        })
        assert.strictEqual((yield* me(json["access_token"])).status, 200)
        assert.strictEqual((yield* app.remove).status, 204)
        assert.strictEqual((yield* me(json["access_token"])).status, 401)
        assertRefused(yield* app.read, 401, "invalid_token")
      }))

    it.effect("changes nothing that a reviewer has rejected, and not more often than in reason", () =>
      Effect.gen(function*() {
        const rejected = managed(yield* register(example))
        const admin = yield* newAccount("admin", "admin")
        yield* Effect.orDie((yield* ClientReview).reject(admin, rejected.id, "No.", 1))
        assertRefused(yield* rejected.replace(example), 403, "access_denied")
        assert.strictEqual((yield* rejected.read).json["review_status"], "rejected")
        const busy = managed(yield* register(publicApp))
        for (let n = 0; n < 10; n++) assert.strictEqual((yield* busy.replace(publicApp)).status, 200)
        const { headers, status } = yield* busy.replace(publicApp)
        assert.strictEqual(status, 429)
        assert.isAbove(Number(headers.get("retry-after")), 0)
      }))
  })

  it.effect("buries no reviewer: a thousand that nobody asked for are seen nowhere, and one that a user needs is", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const sql = yield* SqlClient.SqlClient
      const app = managed(yield* register({ ...publicApp, client_name: `Needed ${crypto.randomUUID()}` }))
      yield* sql`WITH made AS (INSERT INTO clients (id, owner_id, origin, kind, status, name, purpose, website,
            redirect_uris, scopes, submitted_at, created_at, updated_at)
          SELECT 'flood_' || n, owner_id, origin, kind, status, name, purpose, website, redirect_uris, scopes,
            submitted_at, created_at, updated_at FROM clients, generate_series(1, 1000) n WHERE id = ${app.id}
          RETURNING id)
        INSERT INTO registrations (client_id, digest, metadata, registered_at)
        SELECT made.id, sha256(made.id::bytea), metadata, registered_at FROM made, registrations
        WHERE client_id = ${app.id}`
      const before = yield* Effect.orDie(review.queue({ state: "all" }))
      assert.isBelow(before.total, 100)
      const notices = Effect.map(
        sql<{ n: number }>`SELECT count(*)::int AS n FROM outbox WHERE queue = 'review-notices'`,
        ([row]) => row?.n ?? 0
      )
      const told = yield* notices
      yield* askFor(app.id)
      const waiting = yield* Effect.orDie(review.queue({ state: "waiting" }))
      assert.include(waiting.clients.map(({ id }) => id), app.id)
      assert.strictEqual(waiting.total, before.counts.waiting + 1)
      assert.strictEqual(yield* notices, told + 1)
      const checks = yield* reviewChecks
      assert.notInclude(JSON.stringify(yield* checks(yield* Effect.orDie(review.get(app.id)), "cli")), "flood_")
    }))
})

layer(server({ DYNAMIC_REGISTRATION: "open", REGISTRATION_BUDGET: "3" }))("the budget of an address", (it) => {
  it.effect("bounds who has no token; refused metadata cost nothing", () =>
    Effect.gen(function*() {
      for (let n = 0; n < 5; n++) assert.strictEqual((yield* register({})).status, 400)
      for (let n = 0; n < 3; n++) assert.strictEqual((yield* register(publicApp)).status, 201)
      const { headers, json, status } = yield* register(publicApp)
      assert.deepStrictEqual([status, json["error"]], [429, "temporarily_unavailable"])
      assert.isAbove(Number(headers.get("retry-after")), 0)
      const { token } = yield* initialToken()
      assert.strictEqual((yield* register(publicApp, token)).status, 201)
    }))
})

layer(server({ DYNAMIC_REGISTRATION: "token" }))("with an initial access token alone", (it) => {
  it.effect("registers as often as the token is good for", () =>
    Effect.gen(function*() {
      assert.property((yield* metadataOf).json, "registration_endpoint")
      assertRefused(yield* register(publicApp), 401, "invalid_token")
      const { id, token } = yield* initialToken({ mostUses: 2 })
      assertRefused(yield* register({}, token), 400, "invalid_redirect_uri")
      const made = yield* Effect.forEach([1, 2, 3, 4], () => register(publicApp, token), { concurrency: 4 })
      assert.deepStrictEqual(made.map(({ status }) => status).sort(), [201, 201, 401, 401])
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM registrations WHERE initial_token = ${id}`
      assert.strictEqual(rows[0]?.n, 2)
    }))
})

layer(server())("where it is off", (it) => {
  it.effect("there is no such address, and the metadata name none", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* register(publicApp)).status, 404)
      assert.strictEqual((yield* sendJson("GET", `${endpoint}/x`, undefined, "x")).status, 404)
      assert.strictEqual((yield* sendJson("OPTIONS", endpoint)).status, 404)
      assert.notProperty((yield* metadataOf).json, "registration_endpoint")
    }))
})
