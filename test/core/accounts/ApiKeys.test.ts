import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { ApiKeys } from "../../../src/core/accounts/ApiKeys.ts"
import * as Credential from "../../../src/domain/Credential.ts"
import { UserId } from "../../../src/domain/Ids.ts"
import { Services } from "./Scenario.ts"

layer(Services)("ApiKeys", (it) => {
  const owner = UserId.make("owner")
  const other = UserId.make("other")

  it.effect("shows a key once and stores its digest", () =>
    Effect.gen(function*() {
      const keys = yield* ApiKeys
      const sql = yield* SqlClient.SqlClient
      const { info, key } = yield* keys.create(owner, " deploy ", owner)
      const text = Redacted.value(key)
      assert.match(text, /^slk_key_[A-Za-z0-9]{49}$/)
      assert.strictEqual(info.name, "deploy")
      assert.strictEqual(info.lastFour, text.slice(-4))
      assert.notInclude(JSON.stringify(yield* sql`SELECT * FROM api_keys`), text)
      assert.deepStrictEqual(yield* keys.list(owner), [info])
      assert.deepStrictEqual(yield* keys.verify(text), Option.some(owner))
    }))

  it.effect("records the use of a key, and revokes it at once, for its owner only", () =>
    Effect.gen(function*() {
      const keys = yield* ApiKeys
      const { info, key } = yield* keys.create(owner, "ci", owner)
      yield* keys.verify(Redacted.value(key))
      const used = (yield* keys.list(owner)).find(({ id }) => id === info.id)
      assert.deepStrictEqual(used?.lastUsedAt, yield* DateTime.now)
      assert.strictEqual((yield* Effect.flip(keys.revoke(other, info.id)))._tag, "NotFound")
      yield* keys.revoke(owner, info.id)
      assert.isTrue(Option.isNone(yield* keys.verify(Redacted.value(key))))
      assert.strictEqual((yield* Effect.flip(keys.revoke(owner, info.id)))._tag, "NotFound")
    }))

  it.effect("limits an account to fifty keys, concurrent requests included, and revokes all together", () =>
    Effect.gen(function*() {
      const keys = yield* ApiKeys
      const busy = UserId.make("busy")
      const create = Effect.result(keys.create(busy, "k", busy))
      const made = yield* Effect.replicateEffect(create, 60, { concurrency: "unbounded" })
      assert.lengthOf(made.filter(({ _tag }) => _tag === "Success"), 50)
      assert.lengthOf(yield* keys.list(busy), 50)
      yield* keys.revokeAll(busy, busy)
      assert.deepStrictEqual(yield* keys.list(busy), [])
    }))

  it.effect("accepts no other credential", () =>
    Effect.gen(function*() {
      const keys = yield* ApiKeys
      assert.isTrue(Option.isNone(yield* keys.verify("")))
      assert.isTrue(Option.isNone(yield* keys.verify(Redacted.value(yield* Credential.make("apiKey")))))
      assert.isTrue(Option.isNone(yield* keys.verify(Redacted.value(yield* Credential.make("session")))))
    }))
})
