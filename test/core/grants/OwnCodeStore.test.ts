// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { LocalAccounts } from "../../../src/core/accounts/LocalAccounts.ts"
import { SecretCheck } from "../../../src/core/clients/secrets/SecretCheck.ts"
import type { CodeStore } from "../../../src/core/grants/CodeStore.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import { GrantStore } from "../../../src/core/grants/GrantStore.ts"
import type { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import type { DatabaseClock } from "../../../src/foundation/database/DatabaseClock.ts"
import * as Testing from "../../../src/testing.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { approvedApp, assertRefused } from "../../support/TestServer.ts"
import { OwnCodes } from "./examples/OwnCodes.ts"

/** Whole server with another code store. */
const serverOver = (codes: Layer.Layer<CodeStore, never, AppConfig | DatabaseClock | SqlClient.SqlClient>) =>
  Testing.layerWith(Layer.merge(LocalAccounts, codes)).pipe(
    Layer.provideMerge(Layer.merge(HttpServer.layerServices, TestDatabase.layer))
  )

const InMemory = OwnCodes.pipe(Layer.provide(GrantStore.layer), Layer.provide(SecretCheck.layer))

layer(serverOver(InMemory))("A code store of the embedder's own", (it) => {
  it.effect("exchanges a code once, however many try at the same time", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { code, exchange, me } = yield* approvedApp()
      const text = yield* code()
      const answers = yield* Effect.all(Array.from({ length: 20 }, () => exchange(text)), { concurrency: "unbounded" })
      const [tokens, ...others] = answers.filter(({ status }) => status === 200)
      assert.lengthOf(others, 0)
      assert.strictEqual(tokens?.json["scope"], "BOOKING_READ PROFILE_READ")
      assert.strictEqual((yield* me(tokens?.json["access_token"])).status, 200)
      assert.deepStrictEqual(yield* sql`SELECT digest FROM codes`, [])
    }))

  it.effect("ends the grant when a code is replayed, and no other", () =>
    Effect.gen(function*() {
      const { code, exchange, me, refresh } = yield* approvedApp()
      const text = yield* code()
      const first = yield* exchange(text)
      const other = yield* exchange(yield* code())
      assert.strictEqual((yield* me(first.json["access_token"])).status, 200)
      assert.strictEqual((yield* refresh(first.json["refresh_token"])).status, 200)
      yield* TestClock.adjust("10 seconds")
      assertRefused(yield* exchange(text), 400, "invalid_grant")
      assert.strictEqual((yield* me(first.json["access_token"])).status, 401)
      assert.strictEqual((yield* me(other.json["access_token"])).status, 200)
    }))

  it.effect("spends no code for a client that does not authenticate, nor for a request that does not match", () =>
    Effect.gen(function*() {
      const { code, exchange } = yield* approvedApp()
      const text = yield* code()
      assertRefused(yield* exchange(text, { client_secret: "wrong" }), 401, "invalid_client")
      assertRefused(yield* exchange(text, { redirect_uri: "https://app.test/other" }), 400, "invalid_grant")
      assert.strictEqual((yield* exchange(text)).status, 200)
    }))

  it.effect("loses unspent codes when the user disconnects the app", () =>
    Effect.gen(function*() {
      const { client, code, exchange, user } = yield* approvedApp()
      const text = yield* code()
      yield* (yield* Grants).disconnect(user, client.id)
      assertRefused(yield* exchange(text), 400, "invalid_grant")
    }))
})

/** A grant store that crashes when the first grant is opened. */
const CrashingOnce = Layer.effect(
  GrantStore,
  Effect.map(GrantStore, (grants) => {
    let crashes = true
    return GrantStore.of({
      ...grants,
      open: (opened) =>
        Effect.suspend(() => {
          if (!crashes) return grants.open(opened)
          crashes = false
          return Effect.die("a crash after the code was spent")
        })
    })
  })
)

const InCrashingMemory = OwnCodes.pipe(
  Layer.provide(CrashingOnce),
  Layer.provide(GrantStore.layer),
  Layer.provide(SecretCheck.layer)
)

layer(serverOver(InCrashingMemory))("A code store that crashes between spending a code and opening its grant", (it) => {
  it.effect("loses the code, and never opens a grant for it", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const { code, exchange, user } = yield* approvedApp()
      const lost = yield* code()
      assert.strictEqual((yield* exchange(lost)).status, 503)
      assertRefused(yield* exchange(lost), 400, "invalid_grant")
      assert.deepStrictEqual(yield* grants.listLive(user), [])
      assert.strictEqual((yield* exchange(yield* code())).status, 200)
      assert.lengthOf(yield* grants.listLive(user), 1)
    }))
})
