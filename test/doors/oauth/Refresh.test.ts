import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import { RefreshKeys } from "../../../src/core/keys/RefreshKeys.ts"
import * as RefreshToken from "../../../src/core/tokens/RefreshToken.ts"
import { TokenIssuer } from "../../../src/core/tokens/TokenIssuer.ts"
import * as Credential from "../../../src/domain/Credential.ts"
import { secondsUntil } from "../../core/grants/Scenario.ts"
import { newGrantId } from "../../core/tokens/Fixture.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { approvedApp, assertRefused, layer as server } from "../../support/TestServer.ts"

/** Number of rows in every table of the database. */
const rowCounts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`
  return yield* Effect.forEach(
    tables,
    ({ name }) => Effect.map(sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql(name)}`, ([row]) => [name, row?.n])
  )
})

/** Uses the access token of a client's only grant, and waits until that is noted in the grant's row. */
const use = Effect.fnUntraced(
  function*({ client, me }: Effect.Success<ReturnType<typeof approvedApp>>, token: unknown) {
    const sql = yield* SqlClient.SqlClient
    assert.strictEqual((yield* me(token)).status, 200)
    const isNoted = Effect.map(
      sql`SELECT 1 FROM grants WHERE client_id = ${client.id} AND revoked_at IS NULL AND used_generation < generation`,
      ({ length }) => length === 0
    )
    yield* secondsUntil(isNoted)
  }
)

layer(server())((it) => {
  describe("RFC 6749 §6 refreshing an access token", () => {
    it.effect("replaces the refresh token and keeps the scopes", () =>
      Effect.gen(function*() {
        const { me, refresh, tokens } = yield* approvedApp()
        const first = yield* tokens()
        const { headers, json, status } = yield* refresh(first["refresh_token"])
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("cache-control"), "no-store")
        const { access_token, refresh_token, ...rest } = json
        assert.deepStrictEqual(rest, {
          token_type: "bearer",
          expires_in: 1800,
          refresh_token_timeout: 60 * 86_400,
          authorization_expires_in: 365 * 86_400,
          scope: "BOOKING_READ PROFILE_READ"
        })
        assert.notStrictEqual(refresh_token, first["refresh_token"])
        assert.strictEqual((yield* me(access_token)).status, 200)
        assert.strictEqual((yield* me(first["access_token"])).status, 200)
        assert.strictEqual((yield* refresh(refresh_token)).status, 200)
      }))

    it.effect("may narrow the access token, and never the grant", () =>
      Effect.gen(function*() {
        const { me, refresh, tokens } = yield* approvedApp()
        const first = yield* tokens()
        const narrowed = yield* refresh(first["refresh_token"], { scope: "BOOKING_READ" })
        assert.strictEqual(narrowed.json["scope"], "BOOKING_READ")
        assert.strictEqual((yield* me(narrowed.json["access_token"])).status, 403)
        const whole = yield* refresh(narrowed.json["refresh_token"])
        assert.strictEqual(whole.json["scope"], "BOOKING_READ PROFILE_READ")
      }))

    it.effect("ignores words beside its scopes that are none, and names those that look like one mistyped", () =>
      Effect.gen(function*() {
        const { refresh, tokens } = yield* approvedApp()
        const { refresh_token } = yield* tokens()
        const both = yield* refresh(refresh_token, { scope: "BOOKING_READ PROFILE_READ offline_access" })
        assert.deepStrictEqual([both.status, both.json["scope"]], [200, "BOOKING_READ PROFILE_READ"])
        const one = yield* refresh(both.json["refresh_token"], { scope: "openid,PROFILE_READ" })
        assert.deepStrictEqual([one.status, one.json["scope"]], [200, "PROFILE_READ"])
        for (
          const [scope, description] of [
            ["offline_access", "scope names what does not exist: offline_access"],
            ["PROFILE_READ BOOKING_REED offline_access", "scope names what does not exist: BOOKING_REED"],
            ["PROFILE_READ GUEST_READ", "scope names what does not exist: GUEST_READ"],
            [",", "scope has separators alone"]
          ] as const
        ) {
          const refused = yield* refresh(one.json["refresh_token"], { scope })
          assertRefused(refused, 400, "invalid_scope")
          assert.strictEqual(refused.json["error_description"], description)
        }
        const wrong = { scope: "BOOKING_REED", client_secret: "wrong" }
        assertRefused(yield* refresh(one.json["refresh_token"], wrong), 401, "invalid_client")
        const whole = yield* refresh(one.json["refresh_token"])
        assert.strictEqual(whole.json["scope"], "BOOKING_READ PROFILE_READ")
      }))

    it.effect.each(["PROFILE_WRITE", "PROFILE_READ PROFILE_WRITE", "NONSENSE", ","])(
      "refuses the scope %s and harms nothing",
      (scope) =>
        Effect.gen(function*() {
          const { refresh, tokens } = yield* approvedApp()
          const { refresh_token } = yield* tokens()
          assertRefused(yield* refresh(refresh_token, { scope }), 400, "invalid_scope")
          assert.strictEqual((yield* refresh(refresh_token)).status, 200)
        })
    )

    it.effect("refuses another client and a wrong secret, and harms nothing", () =>
      Effect.gen(function*() {
        const { refresh, tokens } = yield* approvedApp()
        const other = yield* approvedApp()
        const { refresh_token } = yield* tokens()
        assertRefused(yield* other.refresh(refresh_token), 400, "invalid_grant")
        assertRefused(yield* refresh(refresh_token, { client_secret: other.secret }), 401, "invalid_client")
        assertRefused(yield* refresh(refresh_token, { client_secret: undefined }), 401, "invalid_client")
        assert.strictEqual((yield* refresh(refresh_token)).status, 200)
      }))

    it.effect("refuses what is not a refresh token", () =>
      Effect.gen(function*() {
        const { refresh, tokens } = yield* approvedApp()
        const { access_token, refresh_token } = yield* tokens()
        const garbage = ["x", "slk_refresh_", access_token, `${refresh_token}x`, String(refresh_token).slice(0, -1)]
        for (const text of garbage) assertRefused(yield* refresh(text), 400, "invalid_grant")
        assertRefused(yield* refresh(""), 400, "invalid_request")
      }))

    it.effect("adds no row, however often", () =>
      Effect.gen(function*() {
        const issuer = yield* TokenIssuer
        const { client, refresh, secret, tokens } = yield* approvedApp()
        let refreshToken = String((yield* tokens())["refresh_token"])
        const presented = { id: client.id, secretDigest: Credential.digest(secret), address: "unknown" }
        const before = yield* rowCounts
        for (let i = 0; i < (TestDatabase.isServer ? 2_000 : 1_000); i++) {
          refreshToken = (yield* issuer.refresh(presented, { refreshToken, scope: undefined })).refresh_token
        }
        assert.deepStrictEqual(yield* rowCounts, before)
        assert.strictEqual((yield* refresh(refreshToken)).status, 200)
      }), 300_000)
  })

  describe("RFC 9700 §4.14.2 refresh token rotation", () => {
    it.effect("of 20 at the same time makes one successor, and the chain lives on", () =>
      Effect.gen(function*() {
        const { refresh, tokens } = yield* approvedApp()
        const { refresh_token } = yield* tokens()
        const answers = yield* Effect.all(Array.from({ length: 20 }, () => refresh(refresh_token)), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(answers.map(({ status }) => status), answers.map(() => 200))
        const successors = new Set(answers.map(({ json }) => json["refresh_token"]))
        assert.strictEqual(successors.size, 1)
        assert.strictEqual((yield* refresh([...successors][0])).status, 200)
      }))

    it.effect("answers a repeat of a public app with the same successor for 30 seconds from the rotation", () =>
      Effect.gen(function*() {
        const { me, refresh, tokens } = yield* approvedApp({ kind: "public" })
        const { refresh_token } = yield* tokens()
        const { json } = yield* refresh(refresh_token)
        for (const seconds of [10, 10, 9]) {
          yield* TestClock.adjust(`${seconds} seconds`)
          const repeat = yield* refresh(refresh_token)
          assert.strictEqual(repeat.json["refresh_token"], json["refresh_token"])
        }
        yield* TestClock.adjust("1 second")
        assertRefused(yield* refresh(refresh_token), 400, "invalid_grant")
        assertRefused(yield* refresh(json["refresh_token"]), 400, "invalid_grant")
        assert.strictEqual((yield* me(json["access_token"])).status, 401)
      }))

    it.effect("answers a repeat of a confidential app with the same successor through an outage of hours", () =>
      Effect.gen(function*() {
        const { me, refresh, tokens } = yield* approvedApp()
        const { access_token, refresh_token } = yield* tokens()
        const lost = yield* refresh(refresh_token)
        yield* TestClock.adjust("25 minutes")
        assert.strictEqual((yield* me(access_token)).status, 200)
        yield* TestClock.adjust("23 hours")
        const repeat = yield* refresh(refresh_token)
        assert.strictEqual(repeat.json["refresh_token"], lost.json["refresh_token"])
        assert.strictEqual((yield* me(repeat.json["access_token"])).status, 200)
        assert.strictEqual((yield* refresh(repeat.json["refresh_token"])).status, 200)
      }))

    it.effect("finds a thief with the app's secret once the app has used what it got", () =>
      Effect.gen(function*() {
        const app = yield* approvedApp()
        const { refresh_token: stolen } = yield* app.tokens()
        const { json } = yield* app.refresh(stolen)
        yield* TestClock.adjust("10 minutes")
        const shadow = yield* app.refresh(stolen)
        assert.strictEqual(shadow.json["refresh_token"], json["refresh_token"])
        yield* use(app, json["access_token"])
        assertRefused(yield* app.refresh(stolen), 400, "invalid_grant")
        assertRefused(yield* app.refresh(json["refresh_token"]), 400, "invalid_grant")
        assert.strictEqual((yield* app.me(shadow.json["access_token"])).status, 401)
      }))

    it.effect("finds a thief who was faster, when the app comes with the token that it still has", () =>
      Effect.gen(function*() {
        const app = yield* approvedApp()
        const { refresh_token } = yield* app.tokens()
        const { json } = yield* app.refresh(refresh_token)
        yield* use(app, json["access_token"])
        yield* TestClock.adjust("30 seconds")
        assertRefused(yield* app.refresh(refresh_token), 400, "invalid_grant")
        assert.strictEqual((yield* app.me(json["access_token"])).status, 401)
      }))

    it.effect("ends one grant at a reuse, tells the user once, and is on the trail", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const audit = yield* AuditLog
        const app = yield* approvedApp()
        const { client, me, refresh, tokens, user } = app
        const device = yield* tokens()
        const other = yield* tokens()
        const { json } = yield* refresh(device["refresh_token"])
        yield* use(app, json["access_token"])
        yield* TestClock.adjust("30 seconds")
        yield* Effect.all(Array.from({ length: 5 }, () => refresh(device["refresh_token"])), { concurrency: 5 })
        assertRefused(yield* refresh(json["refresh_token"]), 400, "invalid_grant")
        assert.strictEqual((yield* me(other["access_token"])).status, 200)
        assert.strictEqual((yield* refresh(other["refresh_token"])).status, 200)
        const jobs = yield* sql<{ payload: unknown }>`SELECT payload FROM outbox
          WHERE queue = 'token-reuse' AND payload->>'clientId' = ${client.id}`
        assert.strictEqual(jobs.length, 1)
        assert.deepInclude(jobs[0]?.payload, { userId: user, clientId: client.id })
        const actions = (yield* audit.list({ clientId: client.id })).map(({ action }) => action)
        assert.strictEqual(actions.filter((action) => action === "refresh_token.reused").length, 1)
      }))

    it.effect("harms nothing when a reuse comes with a wrong secret, from another client or for a wider scope", () =>
      Effect.gen(function*() {
        const app = yield* approvedApp()
        const { refresh, tokens } = app
        const other = yield* approvedApp()
        const { refresh_token } = yield* tokens()
        const { json } = yield* refresh(refresh_token)
        yield* use(app, json["access_token"])
        yield* TestClock.adjust("30 seconds")
        assertRefused(yield* refresh(refresh_token, { client_secret: other.secret }), 401, "invalid_client")
        assertRefused(yield* other.refresh(refresh_token), 400, "invalid_grant")
        assertRefused(yield* refresh(refresh_token, { scope: "PROFILE_WRITE" }), 400, "invalid_scope")
        assert.strictEqual((yield* refresh(json["refresh_token"])).status, 200)
      }))

    it.effect.each(["confidential", "public"])(
      "takes the token before the last of a %s app for a repeat",
      (kind) =>
        Effect.gen(function*() {
          const { refresh, tokens } = yield* approvedApp({ kind })
          const { refresh_token } = yield* tokens()
          const second = yield* refresh(refresh_token)
          const third = yield* refresh(second.json["refresh_token"])
          yield* TestClock.adjust("29 seconds")
          const repeated = yield* refresh(refresh_token)
          assert.strictEqual(repeated.json["refresh_token"], third.json["refresh_token"])
          yield* TestClock.adjust("31 seconds")
          assertRefused(yield* refresh(refresh_token), 400, "invalid_grant")
          assertRefused(yield* refresh(third.json["refresh_token"]), 400, "invalid_grant")
        })
    )
  })

  describe("A grant that ended", () => {
    it.effect("by suspension of the app rests until the app is resumed", () =>
      Effect.gen(function*() {
        const review = yield* ClientReview
        const { admin, client, me, refresh, tokens } = yield* approvedApp()
        const { access_token, refresh_token } = yield* tokens()
        yield* review.suspend(admin, client.id, "Sends too much.")
        assert.strictEqual((yield* me(access_token)).status, 401)
        assertRefused(yield* refresh(refresh_token), 400, "unauthorized_client")
        yield* review.resume(admin, client.id)
        assert.strictEqual((yield* me(access_token)).status, 200)
        assert.strictEqual((yield* refresh(refresh_token)).status, 200)
      }))

    it.effect("by disconnection or deletion opens nothing any more", () =>
      Effect.gen(function*() {
        const grants = yield* Grants
        const registry = yield* ClientRegistry
        const { client, exchange, code, me, owner, refresh, tokens, user } = yield* approvedApp()
        const { access_token, refresh_token } = yield* tokens()
        const waiting = yield* code()
        yield* grants.disconnect(user, client.id)
        assert.strictEqual((yield* me(access_token)).status, 401)
        assertRefused(yield* refresh(refresh_token), 400, "invalid_grant")
        assertRefused(yield* exchange(waiting), 400, "invalid_grant")
        const again = yield* tokens()
        yield* registry.remove(owner, client.id)
        assert.strictEqual((yield* me(again["access_token"])).status, 401)
        assertRefused(yield* refresh(again["refresh_token"]), 401, "invalid_client")
      }))

    it.effect("under a key that this node cannot unseal is not called bad, for its app would throw it away", () =>
      Effect.gen(function*() {
        const keys = yield* RefreshKeys
        const sql = yield* SqlClient.SqlClient
        const { credentials, post, refresh } = yield* approvedApp()
        const now = yield* DateTime.now
        const at = DateTime.toDateUtc(DateTime.subtract(now, { days: 1 }))
        const id = "0badf00d"
        yield* sql`INSERT INTO server_keys (id, purpose, algorithm, encrypted_key, created_at, active_from)
          VALUES (${id}, 'refresh-token', 'HS256', 'sealed under another master key', ${at}, ${at})`
        yield* keys.reload
        const handle = RefreshToken.newHandle()
        const grantId = yield* newGrantId
        const token = RefreshToken.write({ grantId, handle, generation: 0 }, id, keys.signing(now).key)
        assertRefused(yield* refresh(token), 503, "temporarily_unavailable")
        for (const endpoint of ["introspect", "revoke"]) {
          const answer = yield* post(`/v2/auth/oauth2/${endpoint}`, { ...credentials, token })
          assertRefused(answer, 503, "temporarily_unavailable")
        }
      }))

    it.effect("does not end when its app is allowed fewer scopes, or another secret", () =>
      Effect.gen(function*() {
        const registry = yield* ClientRegistry
        const { client, me, owner, refresh, tokens } = yield* approvedApp()
        const { access_token, refresh_token } = yield* tokens()
        yield* registry.edit(owner, client.id, { scopes: ["BOOKING_READ"] })
        assert.strictEqual((yield* me(access_token)).status, 200)
        assert.strictEqual((yield* refresh(refresh_token)).json["scope"], "BOOKING_READ PROFILE_READ")
      }))
  })
})

layer(server({ REFRESH_GRACE: "0 seconds", REFRESH_GRACE_MAX: "0 seconds" }))("Without a grace", (it) => {
  it.effect("a repeat is a reuse at once", () =>
    Effect.gen(function*() {
      const { refresh, tokens } = yield* approvedApp()
      const { refresh_token } = yield* tokens()
      const { json } = yield* refresh(refresh_token)
      assertRefused(yield* refresh(refresh_token), 400, "invalid_grant")
      assertRefused(yield* refresh(json["refresh_token"]), 400, "invalid_grant")
    }))
})
