// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { decodeJwt } from "jose"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { perAccount, SignInThrottle, window } from "../../src/core/accounts/people/SignInThrottle.ts"
import { questionStore } from "../../src/core/consent/QuestionStore.ts"
import { publication } from "../../src/core/keys/KeyRing.ts"
import { KeyRotation } from "../../src/core/keys/KeyRotation.ts"
import { MacKeys } from "../../src/core/keys/MacKeys.ts"
import { RefreshKeys } from "../../src/core/keys/RefreshKeys.ts"
import { SigningKeys } from "../../src/core/keys/SigningKeys.ts"
import { DatabaseClock } from "../../src/foundation/database/DatabaseClock.ts"
import * as Testing from "../../src/testing.ts"
import * as Sweeps from "../../workers/Sweeps.ts"
import { redirectUri } from "../core/tokens/Fixture.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { approvedApp, serverClient } from "../support/TestServer.ts"
import { layerWrong } from "../support/WrongClock.ts"

/** A server process on a machine whose clock is wrong by the offset. */
const node = (offset: Duration.Input) => nodeWith(() => Duration.fromInputUnsafe(offset))

const nodeWith = (offset: () => Duration.Duration) =>
  Layer.build(Layer.fresh(
    Layer.mergeAll(Testing.layer({ SESSION_LIFETIME: "30 minutes" }), HttpServer.layerServices).pipe(
      Layer.provideMerge(DatabaseClock.layer),
      Layer.provideMerge(layerWrong(offset))
    )
  ))
type Node = Effect.Success<ReturnType<typeof node>>

const offsets: ReadonlyArray<readonly [Duration.Input, Duration.Input]> = [
  ["45 seconds", "0 seconds"],
  ["-45 seconds", "0 seconds"],
  ["1 hour", "0 seconds"],
  ["-1 hour", "0 seconds"],
  ["1 hour", "-1 hour"]
]

const secondsOf = (claim: number | undefined) => Math.abs((claim ?? 0) - Date.now() / 1000)

/** Everything that one node begins and the other goes on with. */
const across = Effect.fnUntraced(function*(one: Node, other: Node) {
  const app = yield* Effect.provide(approvedApp(), one)
  const http = yield* Effect.provide(serverClient, other)

  const exchanged = yield* http.token(app.exchangeOf(yield* Effect.provide(app.code(), one)))
  assert.strictEqual(exchanged.status, 200, exchanged.text)
  const refreshed = yield* app.refresh(exchanged.json["refresh_token"])
  const repeated = yield* http.token(app.refreshOf(exchanged.json["refresh_token"]))
  assert.strictEqual(repeated.json["refresh_token"], refreshed.json["refresh_token"], repeated.text)
  const again = yield* http.token(app.refreshOf(repeated.json["refresh_token"]))
  assert.strictEqual(
    (yield* app.refresh(repeated.json["refresh_token"])).json["refresh_token"],
    again.json["refresh_token"]
  )

  for (const { json } of [exchanged, refreshed, repeated, again]) {
    const claims = decodeJwt(String(json["access_token"]))
    assert.isBelow(secondsOf(claims.iat), 5)
    for (const { me, post } of [app, http]) {
      assert.strictEqual((yield* me(json["access_token"])).status, 200)
      const introspected = yield* post("/v2/auth/oauth2/introspect", {
        ...app.credentials,
        token: String(json["access_token"])
      })
      assert.isTrue(introspected.json["active"])
      assert.strictEqual(introspected.json["exp"], claims.exp)
    }
  }
  return { app, http }
})

const reload = Effect.gen(function*() {
  yield* (yield* SigningKeys).reload
  yield* (yield* MacKeys).reload
  yield* (yield* RefreshKeys).reload
})

for (const [one, other] of offsets) {
  layer(TestDatabase.layer, { excludeTestServices: true })(
    `Two nodes on one database, their clocks wrong by ${one} and ${other}`,
    (it) => {
      it.effect("go on with each other's codes and tokens, in both directions", () =>
        Effect.gen(function*() {
          const nodes = [yield* node(one), yield* node(other)] as const
          yield* across(nodes[0], nodes[1])
          yield* across(nodes[1], nodes[0])
        }), 60_000)

      it.effect("use each other's keys, new ones and those that replace leaked ones", () =>
        Effect.gen(function*() {
          const nodes = [yield* node(one), yield* node(other)] as const
          for (const [maker, user] of [nodes, [nodes[1], nodes[0]] as const]) {
            const rotation = Context.get(maker, KeyRotation)
            yield* Effect.provide(rotation.replaceSigningKeys("test"), maker)
            yield* Effect.provide(reload, user)
            yield* across(maker, user)
            for (const { activeFrom } of yield* Effect.provide(rotation.rotate("test"), maker)) {
              const wait = DateTime.distance(DateTime.nowUnsafe(), activeFrom)
              assert.closeTo(Duration.toSeconds(wait), Duration.toSeconds(publication), 5)
            }
            yield* Effect.provide(reload, user)
            yield* across(user, maker)
          }
        }), 60_000)

      it.effect("share sessions, open questions and the count of wrong passwords", () =>
        Effect.gen(function*() {
          const nodes = [yield* node(one), yield* node(other)] as const
          for (const [first, second] of [nodes, [nodes[1], nodes[0]] as const]) {
            const { client, user } = yield* Effect.provide(approvedApp(), first)
            const sessions = [Context.get(first, Sessions), Context.get(second, Sessions)] as const
            const token = Redacted.value(yield* Effect.provide(sessions[0].start(user), first))
            const session = Option.getOrThrow(yield* Effect.provide(sessions[1].find(token), second))

            const question = {
              clientId: client.id,
              redirectUri,
              scopes: null,
              resource: null,
              state: null,
              codeChallenge: null,
              offered: null
            }
            const questions = [
              yield* Effect.provide(questionStore, first),
              yield* Effect.provide(questionStore, second)
            ] as const
            const id = yield* Effect.provide(questions[0].keep(session, question), first)
            const taken = yield* Effect.provide(questions[1].take(session, id), second)
            assert.isTrue(Option.isSome(taken))

            const guess = (node: Node) =>
              Effect.provide(Context.get(node, SignInThrottle).attempt(`${user}@slotkey.test`, "192.0.2.1"), node)
            yield* Effect.repeat(guess(first), { times: perAccount - 1 })
            const { retryAfter } = yield* Effect.flip(guess(second))
            assert.closeTo(Duration.toSeconds(retryAfter), Duration.toSeconds(window), 5)
          }
        }), 60_000)

      it.effect("sweep nothing that is alive", () =>
        Effect.gen(function*() {
          const nodes = [yield* node(one), yield* node(other)] as const
          const app = yield* Effect.provide(approvedApp(), nodes[0])
          const code = yield* Effect.provide(app.code(), nodes[0])
          const tokens = yield* app.tokens()
          for (const { prepare } of Sweeps.all) {
            yield* Effect.provide(Effect.flatten(prepare), nodes[1])
            yield* Effect.provide(Effect.flatten(prepare), nodes[0])
          }
          assert.strictEqual((yield* app.exchange(code)).status, 200)
          assert.strictEqual((yield* app.refresh(tokens["refresh_token"])).status, 200)
        }), 60_000)
    }
  )
}

layer(TestDatabase.layer, { excludeTestServices: true })("A node whose clock leaps", (it) => {
  it.effect.each(["400 days", "-400 days"] as const)(
    "by %s makes no key of another time, and deletes none",
    (leap) =>
      Effect.gen(function*() {
        let offset = Duration.zero
        const astray = yield* nodeWith(() => offset)
        const rotation = Context.get(astray, KeyRotation)
        const sql = yield* SqlClient.SqlClient
        const { exchange, code, refresh } = yield* Effect.provide(approvedApp(), astray)
        const { json } = yield* exchange(yield* Effect.provide(code(), astray))
        yield* Effect.provide(rotation.rotate("test"), astray)
        const keys = sql`SELECT id, active_from, retired_at FROM server_keys ORDER BY id`
        const before = yield* keys

        // The jobs that are due by the new time come before the clock is compared with the database's.
        offset = Duration.fromInputUnsafe(leap)
        assert.deepStrictEqual(yield* Effect.provide(rotation.rotateDue("test"), astray), [])
        assert.strictEqual(yield* Effect.provide(rotation.purge, astray), 0)
        assert.deepStrictEqual(yield* keys, before)
        const { activeFrom } = yield* Effect.provide(rotation.replaceSigningKeys("test"), astray)
        assert.isBelow(Duration.toSeconds(DateTime.distance(activeFrom, DateTime.nowUnsafe())), 60)
        assert.strictEqual((yield* refresh(json["refresh_token"])).status, 200)
      }).pipe(Effect.scoped),
    60_000
  )
})
