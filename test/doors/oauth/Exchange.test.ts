import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { challengeOf } from "../../../src/domain/Pkce.ts"
import { verifier } from "../../core/tokens/Fixture.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { approvedApp, assertRefused, basic, form, layer as server } from "../../support/TestServer.ts"

const latin1 = { "content-type": "application/x-www-form-urlencoded; charset=ISO-8859-1" }

layer(server())((it) => {
  describe("RFC 6749 §4.1.3 access token request", () => {
    it.effect("exchanges a code for the tokens of specification §2.2", () =>
      Effect.gen(function*() {
        const { client, code, exchange, me, user } = yield* approvedApp()
        const { headers, json, status } = yield* exchange(yield* code())
        assert.strictEqual(status, 200)
        const { access_token, refresh_token, ...rest } = json
        assert.deepStrictEqual(rest, {
          token_type: "bearer",
          expires_in: 1800,
          refresh_token_timeout: 60 * 86_400,
          authorization_expires_in: 365 * 86_400,
          scope: "BOOKING_READ PROFILE_READ"
        })
        assert.match(String(refresh_token), /^slk_refresh_/)
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.strictEqual(headers.get("pragma"), "no-cache")
        assert.include(headers.get("content-type"), "application/json")
        const profile = yield* me(access_token)
        assert.strictEqual(profile.status, 200)
        assert.deepInclude(profile.json["data"], { id: user })
        assert.strictEqual(client.status, "approved")
      }))

    it.effect("takes the parameters as JSON, too", () =>
      Effect.gen(function*() {
        const { ask, code, exchangeOf } = yield* approvedApp()
        const body = JSON.stringify({ ...exchangeOf(yield* code()), extra: { ignored: true }, scope: null })
        const headers = { "content-type": "application/json; charset=UTF-8" }
        const answer = yield* ask("/v2/auth/oauth2/token", { method: "POST", headers, body })
        assert.strictEqual(answer.status, 200)
      }))

    it.effect("reads a form that is declared as ISO-8859-1 and is ASCII", () =>
      Effect.gen(function*() {
        const { ask, code, exchangeOf } = yield* approvedApp()
        const body = form({ ...exchangeOf(yield* code()), x: "a b" }).toString()
        const answer = yield* ask("/v2/auth/oauth2/token", { method: "POST", headers: latin1, body })
        assert.strictEqual(answer.status, 200)
      }))

    it.effect("exchanges a code once: of 20 at the same time one succeeds", () =>
      Effect.gen(function*() {
        const { code, exchange } = yield* approvedApp()
        const spent = yield* code()
        const answers = yield* Effect.all(Array.from({ length: 20 }, () => exchange(spent)), {
          concurrency: "unbounded"
        })
        assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
        for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 400, "invalid_grant")
      }))

    it.effect.each([
      { what: "another redirect_uri", changes: { redirect_uri: "https://app.test/other" } },
      { what: "a wrong code_verifier", changes: { code_verifier: "x".repeat(43) } },
      { what: "a code_verifier that is too short", changes: { code_verifier: "x".repeat(42) } },
      { what: "no code_verifier", changes: { code_verifier: undefined } }
    ])("does not spend the code for $what", ({ changes }) =>
      Effect.gen(function*() {
        const { code, exchange } = yield* approvedApp()
        const kept = yield* code()
        const refused = yield* exchange(kept, changes)
        assertRefused(refused, 400, "invalid_grant")
        assert.strictEqual((yield* exchange(kept)).status, 200)
      }))

    it.effect("does not spend the code for another client or a wrong secret", () =>
      Effect.gen(function*() {
        const { code, exchange } = yield* approvedApp()
        const other = yield* approvedApp()
        const kept = yield* code()
        const foreign = yield* exchange(kept, other.credentials)
        assertRefused(foreign, 400, "invalid_grant")
        const wrong = yield* exchange(kept, { client_secret: other.secret })
        assertRefused(wrong, 401, "invalid_client")
        assert.strictEqual((yield* exchange(kept)).status, 200)
      }))

    it.effect("refuses a code that has expired", () =>
      Effect.gen(function*() {
        const { code, exchange } = yield* approvedApp()
        const late = yield* code()
        yield* TestClock.adjust("60 seconds")
        assert.strictEqual((yield* exchange(late)).json["error"], "invalid_grant")
      }))

    it.effect("refuses a client that is not approved, and keeps the code", () =>
      Effect.gen(function*() {
        const { admin, client, code, exchange } = yield* approvedApp()
        const review = yield* ClientReview
        const kept = yield* code()
        yield* review.suspend(admin, client.id, "Sends too much.")
        const refused = yield* exchange(kept)
        assertRefused(refused, 400, "unauthorized_client")
        yield* review.resume(admin, client.id)
        assert.strictEqual((yield* exchange(kept)).status, 200)
      }))
  })

  describe("RFC 6749 §4.1.2 a code used again", () => {
    const replays = [
      { what: "without a challenge", pkce: false, seconds: 0, revokes: true },
      { what: "with its verifier, ten seconds later", pkce: true, seconds: 10, revokes: true },
      { what: "with its verifier, by a callback that runs twice", pkce: true, seconds: 9, revokes: false }
    ]
    it.effect.each(replays)(
      "$what, is refused; revokes what it became: $revokes",
      ({ pkce, revokes, seconds }) =>
        Effect.gen(function*() {
          const { client, code, exchange, me, refresh } = yield* approvedApp()
          const audit = yield* AuditLog
          const spent = yield* code({ pkce })
          const changes = pkce ? {} : { code_verifier: undefined }
          const { json } = yield* exchange(spent, changes)
          yield* TestClock.adjust(`${seconds} seconds`)
          for (let times = 0; times < 2; times++) {
            assert.strictEqual((yield* exchange(spent, changes)).json["error"], "invalid_grant")
          }
          assert.strictEqual((yield* me(json["access_token"])).status, revokes ? 401 : 200)
          assert.strictEqual((yield* refresh(json["refresh_token"])).status, revokes ? 400 : 200)
          const actions = (yield* audit.list({ clientId: client.id })).map(({ action }) => action)
          assert.strictEqual(actions.filter((action) => action === "code.replayed").length, revokes ? 1 : 0)
        })
    )

    it.effect("changes nothing in a request that is not valid otherwise", () =>
      Effect.gen(function*() {
        const { code, exchange, me } = yield* approvedApp()
        const other = yield* approvedApp()
        const spent = yield* code()
        const { json } = yield* exchange(spent)
        for (
          const changes of [
            other.credentials,
            { client_secret: other.secret },
            { code_verifier: "x".repeat(43) },
            { code_verifier: undefined },
            { redirect_uri: "https://app.test/other" }
          ]
        ) {
          assert.isAbove((yield* exchange(spent, changes)).status, 399)
        }
        assert.strictEqual((yield* me(json["access_token"])).status, 200)
      }))
  })

  describe("RFC 7636 proof key for code exchange", () => {
    it.effect("§4.6 verifies the challenge of Appendix B, with the secret and without", () =>
      Effect.gen(function*() {
        for (const kind of ["confidential", "public"]) {
          const { code, exchange } = yield* approvedApp({ kind })
          assert.strictEqual((yield* exchange(yield* code(), { code_verifier: verifier })).status, 200)
        }
      }))

    it.effect("compares a verifier of any 43 to 128 printable ASCII characters, such as base64 with padding", () =>
      Effect.gen(function*() {
        const { code, exchange } = yield* approvedApp()
        for (
          const [code_verifier, status] of [
            [`${"+/".repeat(21)}a=`, 200],
            ["~ ".repeat(64), 200],
            [`${"x".repeat(42)}\u00e9`, 400],
            [`${"x".repeat(42)}\n`, 400],
            ["x".repeat(129), 400]
          ] as const
        ) {
          const challenged = yield* code({ challenge: challengeOf(code_verifier) })
          assert.strictEqual((yield* exchange(challenged, { code_verifier })).status, status, code_verifier)
        }
      }))

    it.effect("needs no verifier for a code without a challenge, and takes none", () =>
      Effect.gen(function*() {
        const { code, exchange } = yield* approvedApp()
        const plain = yield* code({ pkce: false })
        assert.strictEqual((yield* exchange(plain)).json["error"], "invalid_grant")
        assert.strictEqual((yield* exchange(plain, { code_verifier: undefined })).status, 200)
      }))

    it.effect("is what a public client proves itself with, at exchange and at refresh without a secret", () =>
      Effect.gen(function*() {
        const { code, exchange, refresh } = yield* approvedApp({ kind: "public" })
        const { json } = yield* exchange(yield* code())
        assert.strictEqual((yield* refresh(json["refresh_token"])).status, 200)
      }))
  })

  describe("Specification §5.6 legacy clients", () => {
    it.effect("get tokens without restriction, whose scope is the empty string", () =>
      Effect.gen(function*() {
        const { me, refresh, tokens } = yield* approvedApp()
        const issued = yield* tokens({ scopes: null })
        assert.strictEqual(issued["scope"], "")
        assert.strictEqual((yield* me(issued["access_token"])).status, 200)
        const narrowed = yield* refresh(issued["refresh_token"], { scope: "BOOKING_READ" })
        assert.strictEqual(narrowed.json["scope"], "BOOKING_READ")
        assert.strictEqual((yield* me(narrowed.json["access_token"])).status, 403)
        assert.strictEqual((yield* refresh(narrowed.json["refresh_token"])).json["scope"], "")
      }))
  })

  describe("RFC 6749 §2.3.1 client authentication", () => {
    it.effect("takes the secret as Basic, raw or form-encoded", () =>
      Effect.gen(function*() {
        const { client, code, exchangeOf, secret, token } = yield* approvedApp()
        const encoded = secret.replaceAll("_", "%5F")
        for (const shown of [secret, encoded]) {
          const { client_id: _, client_secret: __, ...fields } = exchangeOf(yield* code())
          assert.strictEqual((yield* token(fields, basic(client.id, shown))).status, 200)
          const repeated = { ...exchangeOf(yield* code()), client_secret: undefined }
          assert.strictEqual((yield* token(repeated, basic(client.id, shown))).status, 200)
        }
      }))

    it.effect("cannot tell an unknown client from a wrong secret", () =>
      Effect.gen(function*() {
        const { client, code, exchange, exchangeOf, secret, token } = yield* approvedApp()
        const { secret: foreign } = yield* approvedApp()
        const kept = yield* code()
        const { client_id: _, client_secret: __, ...bare } = exchangeOf(kept)
        const answers = [
          yield* exchange(kept, { client_secret: foreign }),
          yield* exchange(kept, { client_id: "slk_client_unknown" }),
          yield* exchange(kept, { client_secret: undefined }),
          yield* exchange(kept, { client_id: "slk_client_unknown", client_secret: undefined }),
          yield* token(bare, basic(client.id, foreign)),
          yield* token(bare, basic("slk_client_unknown", secret)),
          yield* token(bare, basic("\0", secret)),
          yield* token(bare, { authorization: "Basic !" }),
          yield* token(bare, { authorization: "Bearer x" })
        ]
        for (const { headers, status, text } of answers) {
          assert.strictEqual(status, 401)
          assert.strictEqual(text, answers[0]?.text)
          assert.match(headers.get("www-authenticate") ?? "", /^Basic /)
        }
        assert.strictEqual((yield* exchange(kept)).status, 200)
      }))

    it.effect("refuses a public client that sends a secret", () =>
      Effect.gen(function*() {
        const { code, exchange, secret } = yield* approvedApp({ kind: "public" })
        assert.strictEqual(secret, "")
        assert.strictEqual((yield* exchange(yield* code(), { client_secret: "made-up" })).status, 401)
      }))

    it.effect("takes one credential in the header and in the body, as n8n sends it", () =>
      Effect.gen(function*() {
        const { client, code, exchangeOf, refreshOf, secret, token } = yield* approvedApp()
        for (const shown of [secret, secret.replaceAll("_", "%5F")]) {
          const exchanged = yield* token(exchangeOf(yield* code()), basic(client.id, shown))
          assert.strictEqual(exchanged.status, 200)
          const refreshed = yield* token(refreshOf(exchanged.json["refresh_token"]), basic(client.id, shown))
          assert.strictEqual(refreshed.status, 200)
        }
        const open = yield* approvedApp({ kind: "public" })
        const alone = open.exchangeOf(yield* open.code())
        assert.strictEqual((yield* token(alone, basic(open.client.id, ""))).status, 200)
      }))

    it.effect("names a header of another scheme beside the credential in the body, and keeps the code", () =>
      Effect.gen(function*() {
        const { client, code, exchangeOf, secret, token } = yield* approvedApp()
        const fields = exchangeOf(yield* code())
        for (const authorization of ["Bearer old-access-token", "DPoP x", "Basic !", "nonsense"]) {
          const answer = yield* token(fields, { authorization })
          assertRefused(answer, 400, "invalid_request")
          assert.match(String(answer.json["error_description"]), /^the Authorization header is not of the Basic scheme/)
        }
        const open = yield* approvedApp({ kind: "public" })
        const alone = open.exchangeOf(yield* open.code())
        assertRefused(yield* token(alone, { authorization: "Bearer x" }), 400, "invalid_request")
        // Here it is the header that authenticates the client, and does not.
        const { client_secret: _, ...bare } = fields
        assertRefused(yield* token(bare, { authorization: "Basic !" }), 401, "invalid_client")
        assertRefused(yield* token(bare, basic(client.id, "wrong")), 401, "invalid_client")
        assert.strictEqual((yield* token(fields, { authorization: "" })).status, 200)
        assert.strictEqual((yield* open.token(alone)).status, 200)
        assert.isNotEmpty(secret)
      }))

    it.effect("refuses two methods at once, and two clients", () =>
      Effect.gen(function*() {
        const { client, code, exchangeOf, secret, token } = yield* approvedApp()
        const fields = exchangeOf(yield* code())
        const other = yield* token({ ...fields, client_secret: "other" }, basic(client.id, secret))
        assertRefused(other, 400, "invalid_request")
        const wrong = yield* token(fields, basic(client.id, "other"))
        assertRefused(wrong, 400, "invalid_request")
        const two = yield* token({ ...fields, client_id: "other", client_secret: undefined }, basic(client.id, secret))
        assertRefused(two, 400, "invalid_request")
      }))
  })

  describe("RFC 6749 §5.2 error response", () => {
    it.effect("says what is missing, repeated or unreadable, and keeps the code", () =>
      Effect.gen(function*() {
        const { ask, code, exchange, exchangeOf } = yield* approvedApp()
        const kept = yield* code()
        const fields = form(exchangeOf(kept))
        const json = { "content-type": "application/json" }
        const urlencoded = { "content-type": "application/x-www-form-urlencoded" }
        const without = (name: string) => {
          const rest = new URLSearchParams(fields)
          rest.delete(name)
          return rest.toString()
        }
        const cases: ReadonlyArray<[number, string, string | Uint8Array<ArrayBuffer>, Record<string, string>]> = [
          [400, "invalid_request", "", urlencoded],
          [400, "invalid_request", without("grant_type"), urlencoded],
          [400, "unsupported_grant_type", `${without("grant_type")}&grant_type=password`, urlencoded],
          [400, "invalid_request", without("client_id"), urlencoded],
          [400, "invalid_request", without("code"), urlencoded],
          [400, "invalid_request", `${without("code")}&code=`, urlencoded],
          [400, "invalid_request", without("redirect_uri"), urlencoded],
          [400, "invalid_request", `${fields}&code=again`, urlencoded],
          [400, "invalid_request", `${fields}&x=1&x=2`, urlencoded],
          [400, "invalid_request", `${without("client_id")}&client_id=%00`, urlencoded],
          [400, "invalid_request", `${without("client_id")}&client_id=%ff`, urlencoded],
          [400, "invalid_request", new Uint8Array([...Buffer.from(`${fields}&x=`), 0xff]), urlencoded],
          [400, "invalid_request", "{", json],
          [400, "invalid_request", "[]", json],
          [400, "invalid_request", "{\"code\":\"a\",\"code\":\"b\"}", json],
          [400, "invalid_request", JSON.stringify({ ...exchangeOf(kept), code: [kept, kept] }), json],
          [400, "invalid_request", JSON.stringify({ ...exchangeOf(kept), client_id: 1 }), json],
          [413, "invalid_request", `${fields}&x=${"x".repeat(1_000_000)}`, urlencoded],
          [415, "invalid_request", fields.toString(), { "content-type": "text/plain" }],
          [415, "invalid_request", fields.toString(), {
            "content-type": `${urlencoded["content-type"]}; charset=utf-16`
          }],
          [400, "invalid_request", `${fields}&x=%C3%A9`, latin1],
          [400, "invalid_request", `${fields}&x=\u00e9`, latin1],
          [400, "invalid_request", new Uint8Array([...Buffer.from(`${fields}&x=`), 0xe9]), latin1]
        ]
        for (const [status, error, body, headers] of cases) {
          const answer = yield* ask("/v2/auth/oauth2/token", { method: "POST", body, headers })
          assertRefused(answer, status, error)
          assert.strictEqual(answer.headers.get("cache-control"), "no-store")
          assert.match(String(answer.json["error_description"]), /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
        }
        assert.strictEqual((yield* exchange(kept)).status, 200)
      }))

    it.effect("tells a client that does not use POST to do so", () =>
      Effect.gen(function*() {
        const { ask } = yield* approvedApp()
        for (
          const [name, allow] of [["token", "POST, OPTIONS"], ["revoke", "POST, OPTIONS"], [
            "introspect",
            "POST"
          ]] as const
        ) {
          for (const method of ["GET", "PUT"]) {
            const answer = yield* ask(`/v2/auth/oauth2/${name}?grant_type=refresh_token`, { method })
            assertRefused(answer, 405, "invalid_request")
            assert.strictEqual(answer.json["error_description"], `this address takes ${allow} alone`)
            assert.strictEqual(answer.headers.get("allow"), allow)
            assert.strictEqual(answer.headers.get("access-control-allow-origin"), name === "introspect" ? null : "*")
          }
        }
      }))

    it.effect("takes our own trouble upon itself: 503, and the code and the tokens are kept", () =>
      Effect.gen(function*() {
        const { code, exchange, refresh, tokens } = yield* approvedApp()
        const kept = yield* code()
        const { refresh_token } = yield* tokens()
        yield* TestDatabase.as("owner", (sql) => sql`ALTER TABLE grants RENAME TO away`)
        for (const answer of [yield* exchange(kept), yield* refresh(refresh_token)]) {
          assertRefused(answer, 503, "temporarily_unavailable")
          assert.strictEqual(answer.headers.get("retry-after"), "1")
          assert.strictEqual(answer.headers.get("cache-control"), "no-store")
        }
        yield* TestDatabase.as("owner", (sql) => sql`ALTER TABLE away RENAME TO grants`)
        assert.strictEqual((yield* exchange(kept)).status, 200)
        assert.strictEqual((yield* refresh(refresh_token)).status, 200)
      }))
  })
})
