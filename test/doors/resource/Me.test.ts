import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { approvedApp, layer as server, serverClient } from "../../support/TestServer.ts"

layer(server())((it) => {
  describe("Specification §4.4 GET /v2/me", () => {
    it.effect("answers the profile of the user who authorized the app", () =>
      Effect.gen(function*() {
        const { me, tokens, user } = yield* approvedApp()
        const { headers, json } = yield* me((yield* tokens())["access_token"])
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.deepStrictEqual(json, {
          status: "success",
          data: {
            id: user,
            username: user,
            email: `${user}@example.com`,
            name: "user",
            avatarUrl: null,
            bio: null,
            timeFormat: 12,
            defaultScheduleId: null,
            weekStart: "Sunday",
            timeZone: "UTC",
            locale: "en",
            organizationId: null
          }
        })
      }))
  })

  describe("OpenID Connect Core §5.3 userinfo", () => {
    const path = "/v2/auth/oauth2/userinfo"

    it.effect("answers the same profile as flat claims, by GET and by POST", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { ask, tokens, user } = yield* approvedApp()
        const headers = { authorization: `Bearer ${(yield* tokens())["access_token"]}` }
        const claims = {
          // Libraries that know no OpenID Connect look for a user's `id`.
          id: user,
          sub: user,
          name: "user",
          preferred_username: user,
          email: `${user}@example.com`,
          email_verified: true,
          zoneinfo: "UTC"
        }
        for (const method of ["GET", "POST"]) {
          const answer = yield* ask(path, { method, headers })
          assert.deepStrictEqual([answer.status, answer.headers.get("cache-control")], [200, "no-store"])
          assert.deepStrictEqual(answer.json, claims)
        }
        yield* sql`UPDATE accounts SET avatar_url = 'https://a.example/1.png', locale = 'de-AT' WHERE id = ${user}`
        assert.deepStrictEqual(
          (yield* ask(path, { headers })).json,
          { ...claims, picture: "https://a.example/1.png", locale: "de-AT" }
        )
      }))

    it.effect("tells no address of a user that is not verified, or not known", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { ask, me, tokens, user } = yield* approvedApp()
        const { access_token } = yield* tokens()
        const told = Effect.gen(function*() {
          const { json } = yield* me(access_token)
          const claims = yield* ask(path, { headers: { authorization: `Bearer ${access_token}` } })
          return [json["data"], claims.json] as const
        })
        for (
          const change of [
            sql`UPDATE accounts SET email_verified = false WHERE id = ${user}`,
            sql`UPDATE accounts SET email_verified = true, email = '' WHERE id = ${user}`
          ]
        ) {
          yield* change
          const [profile, claims] = yield* told
          assert.propertyVal(profile, "email", null)
          assert.notProperty(claims, "email")
          assert.notProperty(claims, "email_verified")
        }
      }))

    it.effect("needs the scope of the profile", () =>
      Effect.gen(function*() {
        const { ask, tokens } = yield* approvedApp({ scopes: ["BOOKING_READ"] })
        const headers = { authorization: `Bearer ${(yield* tokens())["access_token"]}` }
        const answer = yield* ask(path, { headers })
        assert.strictEqual(answer.status, 403)
        assert.match(answer.headers.get("www-authenticate") ?? "", /scope="(?=.*\bBOOKING_READ)(?=.* ?\bPROFILE_READ)/)
      }))
  })

  describe("Requests of other origins", () => {
    it.effect("may read the profile, and why it was refused", () =>
      Effect.gen(function*() {
        const { ask, tokens } = yield* approvedApp()
        const other = yield* approvedApp({ scopes: ["BOOKING_READ"] })
        const token = (yield* tokens())["access_token"]
        const foreign = (yield* other.tokens())["access_token"]
        const call = (path: string, token: unknown, method = "GET") =>
          ask(path, { method, headers: { origin: "https://spa.test", authorization: `Bearer ${token}` } })
        for (const path of ["/v2/me", "/v2/auth/oauth2/userinfo"]) {
          const preflight = yield* ask(path, {
            method: "OPTIONS",
            headers: { origin: "https://spa.test", "access-control-request-method": "GET" }
          })
          assert.strictEqual(preflight.status, 204)
          assert.include(preflight.headers.get("access-control-allow-methods"), "GET")
          assert.include(preflight.headers.get("access-control-allow-headers"), "authorization")
          yield* TestDatabase.as("owner", (sql) => sql`ALTER TABLE accounts RENAME TO away`)
          const broken = yield* call(path, token)
          yield* TestDatabase.as("owner", (sql) => sql`ALTER TABLE away RENAME TO accounts`)
          const answers = [
            preflight,
            broken,
            yield* call(path, token),
            yield* call(path, "x"),
            yield* call(path, foreign)
          ]
          answers.push(yield* call(path, token, "PUT"))
          assert.deepStrictEqual(answers.map(({ status }) => status), [204, 500, 200, 401, 403, 405])
          for (const { headers, status } of answers) {
            assert.strictEqual(headers.get("access-control-allow-origin"), "*", `${path} ${status}`)
            assert.include(headers.get("access-control-expose-headers"), "www-authenticate")
          }
        }
      }))
  })

  describe("RFC 6750 §3.1 bearer errors", () => {
    const metadata = "resource_metadata=\"https://slotkey.test/.well-known/oauth-protected-resource\""

    it.effect("tells no error code to a call without a token", () =>
      Effect.gen(function*() {
        const { ask } = yield* serverClient
        for (const path of ["/v2/me", "/v2/me?access_token=x"]) {
          const { headers, json, status } = yield* ask(path)
          assert.strictEqual(status, 401)
          assert.strictEqual(headers.get("www-authenticate"), `Bearer scope="PROFILE_READ", ${metadata}`)
          assert.deepInclude(json, { status: "error", path: "/v2/me" })
        }
      }))

    it.effect("refuses an invalid, expired, or foreign token alike", () =>
      Effect.gen(function*() {
        const { me, tokens } = yield* approvedApp()
        const { access_token, refresh_token } = yield* tokens()
        yield* TestClock.adjust("30 minutes")
        for (const token of ["x", "a b", "", access_token, refresh_token, `${access_token}x`]) {
          const { headers, json, status } = yield* me(token)
          assert.strictEqual(status, 401)
          assert.deepInclude(json["error"], { code: "invalid_token" })
          assert.include(headers.get("www-authenticate"), "error=\"invalid_token\"")
          assert.include(headers.get("www-authenticate"), "scope=\"PROFILE_READ\"")
        }
      }))

    it.effect("names the scope that is missing beside those that the token has", () =>
      Effect.gen(function*() {
        const { me, tokens } = yield* approvedApp({ scopes: ["BOOKING_READ", "TEAM_PROFILE_READ"] })
        const { headers, json, status } = yield* me((yield* tokens())["access_token"])
        assert.strictEqual(status, 403)
        assert.deepInclude(json["error"], { code: "insufficient_scope" })
        const challenge = headers.get("www-authenticate")
        assert.include(challenge, "error=\"insufficient_scope\"")
        const scopes = / scope="([^"]*)"/.exec(challenge ?? "")?.[1]?.split(" ")
        assert.sameMembers(scopes ?? [], ["BOOKING_READ", "PROFILE_READ", "TEAM_PROFILE_READ"])
      }))

    it.effect("refuses the token of an account that was deleted", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { me, tokens, user } = yield* approvedApp()
        const { access_token } = yield* tokens()
        yield* sql`DELETE FROM accounts WHERE id = ${user}`
        assert.strictEqual((yield* me(access_token)).status, 401)
      }))
  })
})
