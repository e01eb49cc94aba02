import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { perClient as limit, window } from "../../../src/core/clients/SecretThrottle.ts"
import { LegacyImport } from "../../../src/core/legacy/import/LegacyImport.ts"
import { newAccount } from "../../support/Clients.ts"
import { type Answer, assertRefused, basic, form, layer as scenes, network, scene } from "../../support/Scenario.ts"

const secret = "hunter2"

/** An app of the server before with a secret that can be guessed, and requests in its name from any address. */
const guessable = Effect.fnUntraced(function*(secret: string) {
  const http = yield* network
  const owner = yield* newAccount("owner")
  const id = `old-${crypto.randomUUID()}`
  const record = {
    client_id: id,
    owner,
    name: "Old Timer",
    redirect_uris: ["https://old.example/callback"],
    secrets: [{ secret, algorithm: "clear" }]
  }
  yield* (yield* LegacyImport).apply(JSON.stringify(record), "cli")
  const ask = (authorization: Readonly<Record<string, string>>, from = "192.0.2.1", path = "token") =>
    http.ask(`/v2/auth/oauth2/${path}`, {
      method: "POST",
      headers: { ...authorization, "x-forwarded-for": from },
      body: form({ grant_type: "refresh_token", refresh_token: "none", token: "none" })
    })
  const guess = (times: number, from?: string) =>
    Effect.forEach(Array.from({ length: times }, (_, n) => n), (n) => ask(basic(id, `guess ${n}`), from))
  return { ...http, id, ask, guess }
})

const statuses = (answers: ReadonlyArray<Answer>) => [...new Set(answers.map(({ status }) => status))]

layer(scenes({ TRUSTED_PROXIES: "1" }), { timeout: 60_000 })("Guessing a secret (RFC 6749 §2.3.1)", (it) => {
  it.effect("that was made elsewhere is heard twenty times in a quarter of an hour from one address", () =>
    Effect.gen(function*() {
      const { ask, guess, id } = yield* guessable(secret)
      const right = basic(id, secret)
      assert.deepStrictEqual(statuses(yield* guess(limit)), [401])
      const refused = yield* ask(right)
      assertRefused(refused, 429, "temporarily_unavailable")
      assert.strictEqual(refused.headers.get("retry-after"), "900")
      assert.deepStrictEqual(
        [(yield* ask(right, undefined, "revoke")).status, (yield* ask(right, undefined, "introspect")).status],
        [429, 429]
      )
      // Who calls from elsewhere is not locked out, and waiting helps.
      assertRefused(yield* ask(right, "192.0.2.2"), 400, "invalid_grant")
      yield* TestClock.adjust(window)
      assertRefused(yield* ask(right), 400, "invalid_grant")
      assert.deepStrictEqual(statuses(yield* guess(limit)), [401])
    }))

  it.effect("many times at once is heard as often", () =>
    Effect.gen(function*() {
      const { ask, id } = yield* guessable(secret)
      const guesses = Array.from({ length: limit * 3 }, (_, n) => ask(basic(id, `guess ${n}`)))
      const answers = yield* Effect.all([...guesses, ask(basic(id, secret))], { concurrency: "unbounded" })
      assert.lengthOf(answers.filter(({ status }) => status === 401), limit)
      assert.deepStrictEqual(statuses(answers.slice(limit)), [429])
    }))

  it.effect("shows the owner of the app that it happens", () =>
    Effect.gen(function*() {
      const { guess, id } = yield* guessable(secret)
      yield* guess(limit + 1)
      const sql = yield* SqlClient.SqlClient
      const noted = sql`SELECT error FROM rejections WHERE client_id = ${id} ORDER BY id DESC LIMIT 1`
      yield* TestClock.adjust("1 second")
      yield* Effect.repeat(sql`SELECT 1`, { times: 20 })
      assert.deepStrictEqual(yield* noted, [{ error: "temporarily_unavailable" }])
    }))

  it.effect("is counted however the header is encoded", () =>
    Effect.gen(function*() {
      const { ask, guess, id } = yield* guessable(secret)
      const encoded = id.replace("o", "%6f")
      const again = ask(basic(encoded, "guess"))
      assert.deepStrictEqual(statuses(yield* Effect.replicateEffect(again, limit)), [401])
      assert.deepStrictEqual(statuses([yield* again]), [429])
      assert.deepStrictEqual(statuses(yield* guess(1)), [429])
    }))

  it.effect("is no guess where the right one has two readings", () =>
    Effect.gen(function*() {
      const odd = "100%25+sure"
      const { ask, id } = yield* guessable(odd)
      assert.deepStrictEqual(statuses(yield* Effect.replicateEffect(ask(basic(id, odd)), limit + 1)), [400])
    }))

  it.effect("that is known to be long locks nobody out", () =>
    Effect.gen(function*() {
      const long = "a secret of the server before that is long"
      const { ask, guess, id } = yield* guessable(long)
      yield* guess(limit + 1)
      assertRefused(yield* ask(basic(id, long)), 400, "invalid_grant")
    }))

  it.effect("of ours is hopeless, so an app with a wrong one is not locked out when it has the right one", () =>
    Effect.gen(function*() {
      const app = yield* scene()
      const wrong = Effect.flatMap(app.code(), (code) => app.exchange(code, { client_secret: "wrong" }))
      assert.deepStrictEqual(statuses(yield* Effect.replicateEffect(wrong, limit + 1)), [401])
      assert.strictEqual((yield* app.exchange(yield* app.code())).status, 200)
    }))
})
