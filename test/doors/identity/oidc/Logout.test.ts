import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Credential from "../../../../src/domain/Credential.ts"
import { UserId } from "../../../../src/domain/Ids.ts"
import { approvedApp } from "../../../support/TestServer.ts"
import { browser, Platform, Server } from "./Scenario.ts"

const events = { "http://schemas.openid.net/event/backchannel-logout": {} }

/** Two browsers of one user, each with a session of its own at the provider, and a provider that ends some. */
const twoBrowsers = Effect.gen(function*() {
  const platform = yield* Platform
  platform.user = { ...platform.user, sub: crypto.randomUUID() }
  const browsers = [yield* browser, yield* browser]
  for (const { signIn } of browsers) yield* signIn()

  const send = Effect.fnUntraced(function*(fields: Record<string, string>) {
    const [{ send } = yield* browser] = browsers
    return yield* send("/sign-in/oidc/back-channel-logout", { method: "POST", body: new URLSearchParams(fields) })
  })
  const tokenOf = Effect.fnUntraced(function*(claims: Record<string, unknown>) {
    // The provider's clock is the test's.
    const iat = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const token = { iat, exp: iat + 120, jti: crypto.randomUUID(), events, ...claims }
    return yield* Effect.promise(() => platform.sign(token))
  })
  const signedIn = Effect.forEach(browsers, ({ send }) => Effect.map(send("/account"), ({ status }) => status === 200))
  return { platform, browsers, send, tokenOf, signedIn, sub: platform.user.sub }
})

/** Provider's name for its session behind one of ours. */
const sidOf = Effect.fnUntraced(function*(token: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly sid: string }>`SELECT sid FROM sessions WHERE digest = ${
    Credential.digest(token)
  }`
  return row?.sid
})

layer(Server)("A provider at which a user signs out", (it) => {
  it.effect("ends the sessions of the user, and the same message ends none that began since", () =>
    Effect.gen(function*() {
      const { browsers, send, signedIn, sub, tokenOf } = yield* twoBrowsers
      const { code, exchange, me, refresh } = yield* approvedApp()
      const sql = yield* SqlClient.SqlClient
      const [linked] = yield* sql<{ accountId: string }>`SELECT account_id FROM identities WHERE subject = ${sub}`
      const { json: connected } = yield* exchange(yield* code({ user: UserId.make(linked?.accountId ?? "") }))
      assert.deepStrictEqual(yield* signedIn, [true, true])
      const token = yield* tokenOf({ sub })
      const answer = yield* send({ logout_token: token })
      assert.deepStrictEqual([answer.status, answer.headers.get("cache-control")], [200, "no-store"])
      assert.deepStrictEqual(yield* signedIn, [false, false])
      // What the same user has allowed apps stays allowed.
      assert.strictEqual((yield* me(connected["access_token"])).status, 200)
      const { json: refreshed, status } = yield* refresh(connected["refresh_token"])
      assert.strictEqual(status, 200)
      assert.strictEqual((yield* me(refreshed["access_token"])).status, 200)

      for (const { signIn } of browsers) yield* signIn()
      const again = yield* send({ logout_token: token })
      assert.deepStrictEqual([again.status, again.text.includes("invalid_request")], [400, true])
      assert.deepStrictEqual(yield* signedIn, [true, true])
    }))

  it.effect("ends the session that it names, with the user and without", () =>
    Effect.gen(function*() {
      for (const withUser of [true, false]) {
        const { browsers, send, signedIn, sub, tokenOf } = yield* twoBrowsers
        const [first] = browsers
        const sid = yield* sidOf(first?.jar.get("__Host-slotkey") ?? "")
        assert.strictEqual(
          (yield* send({ logout_token: yield* tokenOf(withUser ? { sub, sid } : { sid }) })).status,
          200
        )
        assert.deepStrictEqual(yield* signedIn, [false, true])
      }
    }))

  it.effect("ends sessions with it of which the provider never gave a name, and by a name alone none of them", () =>
    Effect.gen(function*() {
      const { browsers: [first, second], send, signedIn, sub, tokenOf } = yield* twoBrowsers
      const sql = yield* SqlClient.SqlClient
      const sid = yield* sidOf(first?.jar.get("__Host-slotkey") ?? "")
      const other = yield* sidOf(second?.jar.get("__Host-slotkey") ?? "")
      yield* sql`UPDATE sessions SET sid = NULL WHERE sid = ${other ?? ""}`
      assert.strictEqual((yield* send({ logout_token: yield* tokenOf({ sid }) })).status, 200)
      assert.deepStrictEqual(yield* signedIn, [false, true])
      assert.strictEqual((yield* send({ logout_token: yield* tokenOf({ sub, sid }) })).status, 200)
      assert.deepStrictEqual(yield* signedIn, [false, false])
    }))

  it.effect("is not heard if the token is none of its, or is no logout token", () =>
    Effect.gen(function*() {
      const { platform, send, signedIn, sub, tokenOf } = yield* twoBrowsers
      const forged = (yield* tokenOf({ sub })).replace(/\.[^.]*$/, `.${"A".repeat(86)}`)
      const idToken = yield* Effect.promise(() => platform.sign({ sub, nonce: "n" }))
      const another = yield* tokenOf({ sub, iss: "https://evil.example" })
      for (const logout_token of [forged, idToken, another, "hello", ""]) {
        assert.strictEqual((yield* send({ logout_token })).status, 400)
      }
      assert.strictEqual((yield* send({})).status, 400)
      assert.deepStrictEqual(yield* signedIn, [true, true])
    }))

  it.effect("is asked to try again while its keys cannot be had", () =>
    Effect.gen(function*() {
      const { platform, send, signedIn, sub, tokenOf } = yield* twoBrowsers
      yield* platform.rotateKey
      const logout_token = yield* tokenOf({ sub })
      platform.faults.set("/jwks", (_, response) => void response.writeHead(500).end())
      const answer = yield* send({ logout_token })
      assert.deepStrictEqual([answer.status, answer.headers.get("retry-after")], [503, "1"])
      platform.faults.clear()
      // The keys are looked at once a second at most, by the clock of the system: the test's cannot be set forward for
      // it.
      const isHeard = Effect.map(send({ logout_token }), ({ status }) => status === 200)
      assert.isTrue(yield* Effect.repeat(isHeard, { until: (yes) => yes, times: 100_000 }))
      assert.deepStrictEqual(yield* signedIn, [false, false])
    }))
})
