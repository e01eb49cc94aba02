// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { accessTokenLifetime } from "../../../src/core/keys/AccessTokenLifetime.ts"
import { publication } from "../../../src/core/keys/KeyRing.ts"
import { SigningKeys } from "../../../src/core/keys/SigningKeys.ts"
import { AccessTokens } from "../../../src/core/tokens/AccessTokens.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { writeAccessToken } from "../tokens/Fixture.ts"
import { jwks, node, token, verifyOffline } from "./Scenario.ts"

layer(TestDatabase.layer)("Signing keys", (it) => {
  it.effect("are created once when two nodes start at the same time", () =>
    Effect.gen(function*() {
      const id = Effect.gen(function*() {
        const keys = yield* SigningKeys
        return keys.signing(yield* DateTime.now).id
      })
      const [one, two] = yield* Effect.all([Effect.provide(id, node()), Effect.provide(id, node())], { concurrency: 2 })
      assert.strictEqual(one, two)
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`SELECT id FROM server_keys`
      assert.strictEqual(rows.length, 3)
    }))

  it.effect("rotate: published before first use, kept until their last token has expired", () =>
    Effect.gen(function*() {
      const keys = yield* SigningKeys
      const tokens = yield* AccessTokens
      const first = keys.signing(yield* DateTime.now).id
      const next = Option.getOrThrow(yield* keys.rotateAfter(Duration.zero))
      assert.isTrue(Option.isNone(yield* keys.rotateAfter(Duration.zero)))
      assert.sameMembers((yield* jwks).map(({ kid }) => kid), [first, next.id])
      yield* TestClock.adjust(Duration.subtract(publication, Duration.seconds(1)))
      assert.strictEqual(keys.signing(yield* DateTime.now).id, first)
      const last = yield* writeAccessToken(token)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(keys.signing(yield* DateTime.now).id, next.id)
      yield* TestClock.adjust("1798 seconds")
      assert.strictEqual(yield* keys.purge, 0)
      yield* verifyOffline(last)
      yield* tokens.verify(last)
      yield* TestClock.adjust("10 minutes")
      yield* keys.reload
      assert.deepStrictEqual((yield* jwks).map(({ kid }) => kid), [next.id])
      assert.strictEqual(yield* keys.purge, 1)
      assert.isTrue(Option.isNone(yield* keys.rotateAfter(Duration.hours(1))))
      assert.isTrue(Option.isSome(yield* keys.rotateAfter(accessTokenLifetime)))
    }).pipe(Effect.provide(node())))

  it.effect("of another node are loaded before they sign", () =>
    Effect.gen(function*() {
      const keys = yield* SigningKeys
      yield* TestClock.adjust(publication)
      yield* keys.reload
      const next = yield* Effect.provide(
        Effect.flatMap(SigningKeys, (keys) => keys.rotateAfter(Duration.zero)),
        node()
      )
      yield* keys.reload
      assert.notStrictEqual(keys.signing(yield* DateTime.now).id, Option.getOrThrow(next).id)
      yield* TestClock.adjust(publication)
      assert.strictEqual(keys.signing(yield* DateTime.now).id, Option.getOrThrow(next).id)
    }).pipe(Effect.provide(node())))
})

layer(TestDatabase.layer)("Signing keys", (it) => {
  it.effect("of another node are loaded even after the database was away for a while", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* SigningKeys
      const known = Effect.map(jwks, (all) => all.length)
      // Each look waits for the database, which answers earlier statements first.
      const eventually = (count: number) =>
        sql`SELECT 1`.pipe(Effect.andThen(known), Effect.repeat({ until: (found) => found === count, times: 1000 }))

      yield* TestDatabase.as("owner", (sql) => sql`ALTER TABLE server_keys RENAME TO away`)
      yield* TestClock.adjust("1 minute")
      yield* Effect.repeat(sql`SELECT 1`, { times: 100 })
      yield* TestDatabase.as("owner", (sql) => sql`ALTER TABLE away RENAME TO server_keys`)
      const before = yield* known
      yield* TestClock.adjust(publication)
      yield* Effect.provide(Effect.flatMap(SigningKeys, (other) => other.rotateAfter(Duration.zero)), node())
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* eventually(before + 1), before + 1)
      assert.isAbove(keys.live().length, 1)
    }).pipe(Effect.provide(node())))
})

layer(TestDatabase.layer)("Signing keys", (it) => {
  it.effect("that a leap of the database's clock made are replaced as soon as it is right again, and old tokens hold", () =>
    Effect.gen(function*() {
      const keys = yield* SigningKeys
      const before = yield* DateTime.now
      const first = keys.signing(before).id
      const old = yield* writeAccessToken(token)
      yield* TestClock.adjust("3 hours")
      const astray = Option.getOrThrow(yield* keys.rotateAfter(Duration.hours(1)))

      yield* TestClock.setTime(DateTime.toEpochMillis(before))
      assert.strictEqual(keys.signing(before).id, first)
      yield* (yield* AccessTokens).verify(old)
      const next = Option.getOrThrow(yield* keys.rotateAfter(Duration.hours(1)))
      assert.strictEqual(
        DateTime.toEpochMillis(next.activeFrom),
        DateTime.toEpochMillis(DateTime.addDuration(before, publication))
      )
      assert.isTrue(Option.isNone(yield* keys.rotateAfter(Duration.zero)))
      yield* TestClock.adjust(publication)
      assert.strictEqual(keys.signing(yield* DateTime.now).id, next.id)
      yield* (yield* AccessTokens).verify(old)
      // The key astray never signs, and goes with the one before.
      yield* TestClock.adjust(Duration.sum(accessTokenLifetime, Duration.minutes(5)))
      assert.strictEqual(yield* keys.purge, 2)
      yield* keys.reload
      assert.isUndefined(keys.find(astray.id))
      assert.strictEqual(keys.signing(yield* DateTime.now).id, next.id)
    }).pipe(Effect.provide(node())))
})
