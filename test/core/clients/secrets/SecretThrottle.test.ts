import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { failureLimit as limit, window } from "../../../../src/core/clients/secrets/SecretThrottle.ts"
import { LegacyImport } from "../../../../src/core/legacy/import/LegacyImport.ts"
import { LogLines } from "../../../support/LogLines.ts"
import {
  type Answer,
  approvedApp,
  assertRefused,
  basic,
  form,
  layer as server,
  serverClient
} from "../../../support/TestServer.ts"
import { newAccount } from "../Scenario.ts"

const secret = "hunter2"

/** An imported app with this secret, and requests in its name from any address. */
const importedApp = Effect.fnUntraced(function*(secret: string) {
  const http = yield* serverClient
  const owner = yield* newAccount("owner")
  const id = `old-${crypto.randomUUID()}`
  const record = {
    client_id: id,
    owner,
    name: "Old Timer",
    redirect_uris: ["https://old.example/callback"],
    secrets: [{ secret, algorithm: "clear" }]
  }
  yield* (yield* LegacyImport).apply(Stream.make(JSON.stringify(record)), "cli")
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

const Server = server({ TRUSTED_PROXIES: "1" }).pipe(Layer.provideMerge(LogLines.layer))

layer(Server, { timeout: 60_000 })("Wrong client secrets (RFC 6749 §2.3.1)", (it) => {
  it.effect("are refused after twenty from one address in a quarter of an hour, where the app's secret is short", () =>
    Effect.gen(function*() {
      const { ask, guess, id } = yield* importedApp(secret)
      const right = basic(id, secret)
      assert.deepStrictEqual(statuses(yield* guess(limit)), [401])
      const refused = yield* ask(right)
      assertRefused(refused, 429, "temporarily_unavailable")
      assert.strictEqual(refused.headers.get("retry-after"), "900")
      const lockOuts = (yield* LogLines).of("client.locked_out").filter(({ client_id }) => client_id === id)
      assert.deepStrictEqual(lockOuts.map(({ address }) => address), ["192.0.2.1"])
      assert.deepStrictEqual(
        [(yield* ask(right, undefined, "revoke")).status, (yield* ask(right, undefined, "introspect")).status],
        [429, 429]
      )
      // Other addresses are not locked out, and the limit ends with its window.
      assertRefused(yield* ask(right, "192.0.2.2"), 400, "invalid_grant")
      yield* TestClock.adjust(window)
      assertRefused(yield* ask(right), 400, "invalid_grant")
      assert.deepStrictEqual(statuses(yield* guess(limit)), [401])
    }))

  it.effect("are counted in all networks of IPv6 that one line or server may have", () =>
    Effect.gen(function*() {
      const { guess, id } = yield* importedApp(secret)
      const answers = yield* Effect.forEach(
        Array.from({ length: 5 * limit }, (_, n) => n),
        (n) => guess(1, `2001:db8:1:${(n * 0x100).toString(16)}::1`)
      )
      const statusOf = ([answer]: ReadonlyArray<Answer>) => answer?.status
      assert.deepStrictEqual([...new Set(answers.slice(0, 4 * limit).map(statusOf))], [401])
      assert.deepStrictEqual([...new Set(answers.slice(4 * limit).map(statusOf))], [429])
      const lockOuts = (yield* LogLines).of("client.locked_out").filter(({ client_id }) => client_id === id)
      assert.deepStrictEqual(lockOuts.map(({ address }) => address), ["2001:db8:1::/48"])
    }))

  it.effect("are refused after twenty even if many come at once", () =>
    Effect.gen(function*() {
      const { ask, id } = yield* importedApp(secret)
      const guesses = Array.from({ length: limit * 3 }, (_, n) => ask(basic(id, `guess ${n}`)))
      const answers = yield* Effect.all(guesses, { concurrency: "unbounded" })
      // They come on connections of their own, so any twenty may be the first.
      const refused = answers.filter(({ status }) => status !== 401)
      assert.lengthOf(refused, limit * 2)
      assert.deepStrictEqual(statuses([...refused, yield* ask(basic(id, secret))]), [429])
    }))

  it.effect("that are refused are shown to the owner of the app", () =>
    Effect.gen(function*() {
      const { guess, id } = yield* importedApp(secret)
      yield* guess(limit)
      const sql = yield* SqlClient.SqlClient
      const refused = sql<{ clientId: string }>`SELECT client_id FROM refused_requests
        WHERE client_id = ${id} AND error = 'temporarily_unavailable' LIMIT 1`
      // Those of the tests before may fill the room of what waits to be written.
      const once = Effect.andThen(Effect.andThen(guess(1), TestClock.adjust("1 second")), refused)
      const found = yield* Effect.repeat(once, { until: ({ length }) => length > 0, times: 100 })
      assert.deepStrictEqual(found, [{ clientId: id }])
    }))

  it.effect("are counted however the header is encoded", () =>
    Effect.gen(function*() {
      const { ask, guess, id } = yield* importedApp(secret)
      const encoded = id.replace("o", "%6f")
      const again = ask(basic(encoded, "guess"))
      assert.deepStrictEqual(statuses(yield* Effect.replicateEffect(again, limit)), [401])
      assert.deepStrictEqual(statuses([yield* again]), [429])
      assert.deepStrictEqual(statuses(yield* guess(1)), [429])
    }))

  it.effect("are not counted where one of two readings of the header is right", () =>
    Effect.gen(function*() {
      const odd = "100%25+sure"
      const { ask, id } = yield* importedApp(odd)
      assert.deepStrictEqual(statuses(yield* Effect.replicateEffect(ask(basic(id, odd)), limit + 1)), [400])
    }))

  it.effect("lock nobody out where the imported secret is known to be long", () =>
    Effect.gen(function*() {
      const long = "a secret of another server that is long"
      const { ask, guess, id } = yield* importedApp(long)
      yield* guess(limit + 1)
      assertRefused(yield* ask(basic(id, long)), 400, "invalid_grant")
    }))

  it.effect("lock no app out whose secrets were generated here, because those cannot be guessed", () =>
    Effect.gen(function*() {
      const app = yield* approvedApp()
      const wrong = Effect.flatMap(app.code(), (code) => app.exchange(code, { client_secret: "wrong" }))
      assert.deepStrictEqual(statuses(yield* Effect.replicateEffect(wrong, limit + 1)), [401])
      assert.strictEqual((yield* app.exchange(yield* app.code())).status, 200)
    }))
})
