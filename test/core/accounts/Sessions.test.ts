import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Sessions } from "../../../src/core/accounts/Sessions.ts"
import * as Credential from "../../../src/domain/Credential.ts"
import { UserId } from "../../../src/domain/Ids.ts"
import { Services } from "./Scenario.ts"

layer(Services)("Sessions", (it) => {
  const owner = UserId.make("someone")

  it.effect("stores the digest of a token, never the token", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const sql = yield* SqlClient.SqlClient
      const token = Redacted.value(yield* sessions.start(owner))
      const session = Option.getOrThrow(yield* sessions.find(token))
      assert.strictEqual(session.userId, owner)
      assert.deepStrictEqual(new Uint8Array(session.digest), new Uint8Array(Credential.digest(token)))
      const rows = yield* sql`SELECT * FROM sessions`
      assert.notInclude(JSON.stringify(rows), token)
      assert.notInclude(session.csrf, token)
      assert.isTrue(Option.isNone(yield* sessions.find(token.slice(0, -1) + "!")))
    }))

  it.effect("keeps a session for as long as it is used", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const token = Redacted.value(yield* sessions.start(owner))
      yield* TestClock.adjust(Duration.days(13))
      assert.isTrue(Option.isSome(yield* sessions.find(token)))
      yield* TestClock.adjust(Duration.days(13))
      assert.isTrue(Option.isSome(yield* sessions.find(token)))
      yield* TestClock.adjust(Duration.days(14))
      assert.isTrue(Option.isNone(yield* sessions.find(token)))
    }))

  it.effect("ends a session 90 days after it began, however often it is used", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const token = Redacted.value(yield* sessions.start(owner))
      for (let day = 10; day < 90; day += 10) {
        yield* TestClock.adjust(Duration.days(10))
        assert.isTrue(Option.isSome(yield* sessions.find(token)), `day ${day}`)
      }
      yield* TestClock.adjust(Duration.subtract(Duration.days(10), Duration.seconds(1)))
      assert.isTrue(Option.isSome(yield* sessions.find(token)))
      yield* TestClock.adjust(Duration.seconds(1))
      assert.isTrue(Option.isNone(yield* sessions.find(token)))
    }))

  it.effect("writes its use at most once a minute", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const sql = yield* SqlClient.SqlClient
      const token = Redacted.value(yield* sessions.start(owner))
      const seen = Effect.map(
        sql<{ lastSeenAt: Date }>`SELECT last_seen_at FROM sessions WHERE digest = ${Credential.digest(token)}`,
        ([row]) => row?.lastSeenAt
      )
      const started = DateTime.toDateUtc(yield* DateTime.now)
      yield* TestClock.adjust(Duration.seconds(59))
      yield* sessions.find(token)
      assert.deepStrictEqual(yield* seen, started)
      yield* TestClock.adjust(Duration.seconds(1))
      yield* sessions.find(token)
      assert.deepStrictEqual(yield* seen, DateTime.toDateUtc(yield* DateTime.now))
    }))

  it.effect("ends one session, or all others of an account", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const [a, b, c] = yield* Effect.all([sessions.start(owner), sessions.start(owner), sessions.start(owner)])
      yield* sessions.end(Redacted.value(a))
      assert.isTrue(Option.isNone(yield* sessions.find(Redacted.value(a))))
      yield* sessions.endAll(owner, Credential.digest(Redacted.value(b)))
      assert.isTrue(Option.isSome(yield* sessions.find(Redacted.value(b))))
      assert.isTrue(Option.isNone(yield* sessions.find(Redacted.value(c))))
    }))
})
