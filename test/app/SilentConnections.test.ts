// @effect-diagnostics strictEffectProvide:off
import { assert, describe, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import pg from "pg"
import { Grants } from "../../src/core/grants/Grants.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import * as Testing from "../../src/testing.ts"
import { eventually } from "../support/Eventually.ts"
import * as TcpProxy from "../support/TcpProxy.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import { type Answer, approvedApp, assertRefused } from "../support/TestServer.ts"

/** PostgreSQL, and the proxy through which the server reaches it. */
class Postgres extends Context.Service<Postgres, { readonly url: URL; readonly proxy: TcpProxy.TcpProxy }>()(
  "slotkey/test/app/SilentConnections.test/Postgres"
) {
  static readonly layer = Layer.effect(
    Postgres,
    Effect.gen(function*() {
      const url = new URL((yield* TestPostgres.make).url)
      return { url, proxy: yield* TcpProxy.make(Number(url.port)) }
    })
  )
}

const Live = Layer.mergeAll(Testing.layer(), HttpServer.layerServices).pipe(
  Layer.provideMerge(Layer.unwrap(Effect.gen(function*() {
    const { proxy, url } = yield* Postgres
    const DATABASE_URL = `postgres://postgres@127.0.0.1:${proxy.port}${url.pathname}`
    return Layer.provide(Database.layer, AppConfig.layerTest({ DATABASE_URL }))
  }))),
  Layer.provideMerge(Postgres.layer)
)

/** A client beside the server, without the proxy, until the scope closes. */
const beside = Effect.gen(function*() {
  const { url } = yield* Postgres
  const client = new pg.Client(url.href)
  yield* Effect.acquireRelease(Effect.promise(() => client.connect()), () => Effect.promise(() => client.end()))
  return (statement: string) => Effect.promise(() => client.query(statement))
})

const assertUnavailable = ({ headers, status }: Answer) => {
  assert.strictEqual(status, 503)
  assert.isNotNull(headers.get("retry-after"))
}

/** Time that a token request may take, and what a loaded machine adds. */
const limitMillis = 3_000 + 1_000

const assertInTime = <E, R>(request: Effect.Effect<Answer, E, R>) =>
  Effect.gen(function*() {
    const started = yield* Clock.currentTimeMillis
    const answer = yield* request
    assert.isBelow((yield* Clock.currentTimeMillis) - started, limitMillis)
    return answer
  })

describe.skipIf(TestPostgres.missing !== undefined)("a server whose connections to PostgreSQL fall silent", () => {
  layer(Live, { excludeTestServices: true, timeout: "2 minutes" })((it) => {
    it.effect("answers refreshes and checks in time with 503, recovers by itself and loses no chain", () =>
      Effect.gen(function*() {
        const { proxy } = yield* Postgres
        const { me, refresh, tokens } = yield* approvedApp()
        const chains = yield* Effect.forEach([1, 2, 3, 4, 5], () => tokens(), { concurrency: "unbounded" })
        yield* proxy.silence
        yield* Effect.forEach(chains, (chain) =>
          Effect.all([
            Effect.map(assertInTime(me(chain["access_token"])), assertUnavailable),
            Effect.map(assertInTime(refresh(chain["refresh_token"])), assertUnavailable)
          ], { concurrency: "unbounded" }), { concurrency: "unbounded" })
        for (const chain of chains) {
          const { json, status } = yield* refresh(chain["refresh_token"])
          assert.strictEqual(status, 200)
          assert.strictEqual((yield* me(json["access_token"])).status, 200)
        }
      }))

    it.effect("gives a refresh its successor when the answer of the database was lost", () =>
      Effect.gen(function*() {
        const { proxy } = yield* Postgres
        const { refresh, tokens } = yield* approvedApp()
        const chain = yield* tokens()
        yield* proxy.loseAnswers
        assertUnavailable(yield* assertInTime(refresh(chain["refresh_token"])))
        const again = yield* refresh(chain["refresh_token"])
        assert.strictEqual(again.status, 200)
        assert.strictEqual((yield* refresh(again.json["refresh_token"])).status, 200)
      }))

    it.effect("answers an exchange that was committed, although the answer of the database was lost", () =>
      Effect.gen(function*() {
        const { proxy } = yield* Postgres
        const { code, exchange, me, refresh, user } = yield* approvedApp()
        const text = yield* code()
        yield* proxy.loseAnswers
        const { json, status } = yield* assertInTime(exchange(text))
        assert.strictEqual(status, 200)
        assert.strictEqual((yield* me(json["access_token"])).status, 200)
        assert.strictEqual((yield* refresh(json["refresh_token"])).status, 200)
        assert.lengthOf(yield* (yield* Grants).listLive(user), 1)
      }))

    it.effect("answers the repeat of an exchange whose outcome it could not learn, once", () =>
      Effect.gen(function*() {
        const { proxy, url } = yield* Postgres
        const { code, exchange, me, user } = yield* approvedApp()
        const text = yield* code()
        yield* proxy.loseAnswers
        yield* proxy.lead(1)
        assertUnavailable(yield* assertInTime(exchange(text)))
        yield* proxy.lead(Number(url.port))
        const query = yield* beside
        const spent = query(`SELECT 1 FROM codes WHERE grant_id IS NOT NULL AND user_id = '${user}'`)
        yield* eventually(Effect.map(spent, ({ rows }) => rows.length === 1))

        // Another request with this code is not a repeat, and changes nothing.
        assertRefused(yield* exchange(text, { client_secret: "wrong" }), 401, "invalid_client")
        const { json, status } = yield* exchange(text)
        assert.strictEqual(status, 200)
        assert.strictEqual((yield* me(json["access_token"])).status, 200)
        // After that one it is spent as any other; a replay ends the grant when the outage is over.
        assertUnavailable(yield* exchange(text))
      }))

    it.effect("gives the repeat of an exchange that commits late the grant of the first attempt", () =>
      Effect.gen(function*() {
        const { code, exchange, me, user } = yield* approvedApp()
        const text = yield* code()
        const query = yield* beside
        yield* query("BEGIN")
        yield* query("LOCK TABLE codes IN SHARE MODE")
        assertUnavailable(yield* assertInTime(exchange(text)))
        yield* query("COMMIT")
        const { json, status } = yield* exchange(text)
        assert.strictEqual(status, 200)
        assert.strictEqual((yield* me(json["access_token"])).status, 200)
        assert.lengthOf(yield* (yield* Grants).listLive(user), 1)
      }))
  })
})
