import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { LegacyImport } from "../../../../src/core/legacy/import/LegacyImport.ts"
import { assertRefused, basic, layer as server, serverClient } from "../../../support/TestServer.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { visitor } from "../Scenario.ts"
import { app, apply, findings, jsonLines, token, unique } from "./Scenario.ts"

/** An imported app with one refresh token, and what it can do. */
const installed = Effect.fnUntraced(function*(changes: object) {
  const { ask, token: post } = yield* serverClient
  const owner = yield* newAccount("owner")
  const refreshToken = `v1.MjY0-${unique()}==`
  const old = app(owner, { refresh_tokens: [token(refreshToken, owner)], ...changes })
  yield* apply(jsonLines(old))
  const headers = basic(old.client_id, "s3cr+t/%2B==old-server")
  return {
    refreshToken,
    refresh: (text: unknown) => post({ grant_type: "refresh_token", refresh_token: String(text) }, headers),
    introspect: (text: unknown) =>
      ask("/v2/auth/oauth2/introspect", {
        method: "POST",
        headers,
        body: new URLSearchParams({ token: String(text) })
      }),
    unrotated: Effect.gen(function*() {
      const browser = yield* visitor(owner)
      const { text } = yield* browser.call("GET", `/v2/oauth-clients/${encodeURIComponent(old.client_id)}/migration`)
      const counts = [/"unrotatedGrants":(\d+)/, /"unscopedGrants":(\d+)/].map((count) => count.exec(text)?.[1])
      return counts.join(" ")
    })
  }
})

const day = 86_400

layer(server(), { timeout: 60_000 })("The idle end of an imported grant", (it) => {
  it.effect("does not exist, for an app that uses its token for the first time after months, and then months later", () =>
    Effect.gen(function*() {
      const app = yield* installed({})
      yield* TestClock.adjust("100 days")
      assert.strictEqual(yield* app.unrotated, "1 1")
      const first = yield* app.refresh(app.refreshToken)
      assert.strictEqual(first.status, 200)
      yield* TestClock.adjust("100 days")
      const second = yield* app.refresh(first.json["refresh_token"])
      assert.strictEqual(second.status, 200)
      yield* TestClock.adjust("100 days")
      const answer = yield* app.introspect(second.json["refresh_token"])
      assert.strictEqual(answer.json["active"], true)
      // It ends with GRANT_LIFETIME, 365 days after the import.
      assert.strictEqual(Number(answer.json["exp"]) - Number(answer.json["iat"]), 165 * day)
      assert.strictEqual((yield* app.refresh(second.json["refresh_token"])).status, 200)
    }))

  it.effect("is the one that the import set, shorter or longer than that of other grants", () =>
    Effect.gen(function*() {
      const [short, long] = [yield* installed({ idle_days: 10 }), yield* installed({ idle_days: 90 })]
      yield* TestClock.adjust("9 days")
      const used = yield* short.refresh(short.refreshToken)
      assert.strictEqual(used.status, 200)
      yield* TestClock.adjust("9 days")
      const answer = yield* short.introspect(used.json["refresh_token"])
      assert.strictEqual(Number(answer.json["exp"]) - Number(answer.json["iat"]), 10 * day)
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* short.unrotated, "0 0")
      assertRefused(yield* short.refresh(used.json["refresh_token"]), 400, "invalid_grant")
      assert.strictEqual((yield* short.introspect(used.json["refresh_token"])).json["active"], false)
      yield* TestClock.adjust("70 days")
      assert.strictEqual((yield* long.refresh(long.refreshToken)).status, 200)
      yield* TestClock.adjust("90 days")
      assertRefused(yield* long.refresh(long.refreshToken), 400, "invalid_grant")
    }))

  it.effect("is a whole number of days", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const record = (days: unknown) => app(owner, { idle_days: days })
      const wrong = (value: unknown) => `idle_days ${JSON.stringify(value)} must be a number of days from 1 to 3650`
      const found = yield* findings(jsonLines(...[90, null, 0, 3651, 1.5, "90"].map(record)))
      assert.deepStrictEqual(found, [
        "1 new: new app, 1 secret",
        "2 new: new app, 1 secret",
        ...[0, 3651, 1.5, "90"].map((value, at) => `${3 + at} wrong: ${wrong(value)}`)
      ])
      const csv = (days: string) =>
        `client_id,owner,name,redirect_uris,kind,idle_days\nold-${unique()},${owner},Old,https://old.example/cb,public,${days}`
      assert.deepStrictEqual(yield* findings(csv("90")), ["2 new: new app"])
      assert.deepStrictEqual(yield* findings(csv("ninety")), [`2 wrong: ${wrong("ninety")}`])
    }))

  it.effect("is in the report, with the lifetime of all grants and the end that a token brings", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const imports = yield* LegacyImport
      const now = yield* DateTime.now
      const inDays = (days: number) => DateTime.addDuration(now, Duration.days(days))
      const tokenOf = (changes: object = {}) => token(`refresh-${unique()}-token`, owner, changes)
      const ends = (...apps: ReadonlyArray<object>) =>
        Effect.map(imports.inspect(Stream.make(jsonLines(...apps))), ({ unusedEnd }) => unusedEnd)
      const plain = app(owner, { refresh_tokens: [tokenOf()] })
      const idle = app(owner, { idle_days: 30, refresh_tokens: [tokenOf()] })
      const expiring = app(owner, {
        refresh_tokens: [tokenOf({ expires_at: DateTime.formatIso(inDays(7)) })]
      })
      assert.isNull(yield* ends(app(owner)))
      assert.deepStrictEqual(yield* ends(plain), { first: inDays(365), last: inDays(365) })
      assert.deepStrictEqual(yield* ends(plain, idle), { first: inDays(30), last: inDays(365) })
      assert.deepStrictEqual(yield* ends(idle, expiring), { first: inDays(7), last: inDays(30) })
    }))
})
