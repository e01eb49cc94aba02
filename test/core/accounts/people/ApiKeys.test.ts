import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ApiKeys } from "../../../../src/core/accounts/people/ApiKeys.ts"
import { publishKeyWarnings } from "../../../../src/core/accounts/people/ApiKeyWarnings.ts"
import * as Credential from "../../../../src/domain/Credential.ts"
import { UserId } from "../../../../src/domain/Ids.ts"
import { Services } from "../Scenario.ts"

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
      assert.strictEqual((yield* Effect.flip(keys.revoke(other, info.id, other)))._tag, "NotFound")
      yield* keys.revoke(owner, info.id, owner)
      assert.isTrue(Option.isNone(yield* keys.verify(Redacted.value(key))))
      assert.strictEqual((yield* Effect.flip(keys.revoke(owner, info.id, owner)))._tag, "NotFound")
    }))

  it.effect("tells the owner of each key that is made or revoked, without the key", () =>
    Effect.gen(function*() {
      const keys = yield* ApiKeys
      const sql = yield* SqlClient.SqlClient
      const told = UserId.make("told")
      const { info, key } = yield* keys.create(told, "ci", told)
      const second = yield* keys.create(told, "by hand", "cli")
      yield* keys.revoke(told, info.id, told)
      yield* Effect.flip(keys.revoke(told, info.id, told))
      yield* keys.revokeAll(told, "cli")
      yield* keys.revokeAll(told, "cli")
      const rows = yield* sql<{ payload: unknown }>`SELECT payload FROM outbox
        WHERE queue = 'credential-notices' AND subject = 'user:told' ORDER BY id`
      const notice = { userId: told, clientId: null }
      assert.deepStrictEqual(rows.map(({ payload }) => payload), [
        { ...notice, event: "api_key.created", lastFour: [info.lastFour], by: told },
        { ...notice, event: "api_key.created", lastFour: [second.info.lastFour], by: "cli" },
        { ...notice, event: "api_key.revoked", lastFour: [info.lastFour], by: told },
        { ...notice, event: "api_key.revoked", lastFour: [second.info.lastFour], by: "cli" }
      ])
      assert.notInclude(JSON.stringify(rows), Redacted.value(key).slice(8, 30))
    }))

  it.effect("does not count keys that have ended to the limit", () =>
    Effect.gen(function*() {
      const keys = yield* ApiKeys
      const busy = UserId.make("busy for a day")
      const create = Effect.flatMap(DateTime.now, (now) => keys.create(busy, "k", busy, DateTime.add(now, { days: 1 })))
      yield* Effect.replicateEffect(create, 50, { discard: true })
      assert.strictEqual((yield* Effect.flip(create))._tag, "Conflict")
      yield* TestClock.adjust("1 day")
      yield* create
    }))

  it.effect("warns an owner of all keys together a week before they end, once, and not of those made for a week", () =>
    Effect.gen(function*() {
      const keys = yield* ApiKeys
      const sql = yield* SqlClient.SqlClient
      const start = yield* DateTime.now
      const create = (name: string, days: number) =>
        Effect.map(keys.create(owner, name, owner, DateTime.add(start, { days })), ({ info }) => info.id)
      const month = yield* create("a month", 30)
      const another = yield* create("the same", 30)
      yield* keys.revoke(owner, yield* create("revoked", 30), owner)
      yield* create("a week", 7)
      yield* create("a quarter", 90)
      const nights: Array<number> = []
      for (let night = 1; night <= 40; night++) {
        yield* TestClock.adjust("1 day")
        const published = yield* publishKeyWarnings
        assert.strictEqual(yield* publishKeyWarnings, 0)
        if (published > 0) nights.push(night)
      }
      assert.deepStrictEqual(nights, [23])
      const mails = yield* sql<{ payload: unknown }>`SELECT payload FROM outbox
        WHERE queue = 'api-key-end-mails' AND subject = ${`user:${owner}`}`
      assert.deepStrictEqual(mails.map(({ payload }) => payload), [
        { userId: owner, apiKeyIds: [month, another].sort() }
      ])
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
