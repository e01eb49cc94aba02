// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import * as Testing from "../../../src/testing.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { approvedApp, serverClient } from "../../support/TestServer.ts"

/** Another server process on the same database. */
const node = Layer.fresh(Layer.merge(Testing.layer(TestDatabase.patient), HttpServer.layerServices))

layer(TestDatabase.layer)("Two nodes on one database", (it) => {
  it.effect("exchange one code once, and rotate one token once with one successor", () =>
    Effect.gen(function*() {
      const other = yield* Effect.provide(serverClient, yield* Layer.build(node))
      const one = yield* approvedApp()
      const race = (fields: Readonly<Record<string, string | undefined>>) =>
        Effect.all(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? one : other).token(fields)), {
          concurrency: "unbounded"
        })

      const exchanges = yield* race(one.exchangeOf(yield* one.code()))
      assert.strictEqual(exchanges.filter(({ status }) => status === 200).length, 1)

      let { refresh_token } = yield* one.tokens()
      for (let round = 0; round < 5; round++) {
        const refreshes = yield* race(one.refreshOf(refresh_token))
        assert.deepStrictEqual(refreshes.map(({ status }) => status), refreshes.map(() => 200))
        assert.strictEqual(new Set(refreshes.map(({ json }) => json["refresh_token"])).size, 1)
        refresh_token = refreshes[0]?.json["refresh_token"]
      }
    }).pipe(Effect.provide(node)))

  it.effect("do not deadlock when both work on the same rows in opposite orders", () =>
    Effect.gen(function*() {
      const other = yield* Effect.provide(serverClient, yield* Layer.build(node))
      const one = yield* approvedApp()
      const grants = yield* Effect.forEach(Array.from({ length: 30 }), () => one.tokens())
      const forwards = grants.map(({ refresh_token }) => one.refreshOf(refresh_token))
      const answers = yield* Effect.all([
        ...forwards.map((fields) => one.token(fields)),
        ...forwards.toReversed().map((fields) => other.token(fields))
      ], { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.map(({ status }) => status), answers.map(() => 200))
    }).pipe(Effect.provide(node)))
})
