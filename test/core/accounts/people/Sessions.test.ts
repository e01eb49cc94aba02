import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Sessions } from "../../../../src/core/accounts/people/Sessions.ts"
import { CallerAddress } from "../../../../src/core/limits/CallerAddress.ts"
import { CallerBrowser } from "../../../../src/core/limits/CallerBrowser.ts"
import * as Credential from "../../../../src/domain/Credential.ts"
import { UserId } from "../../../../src/domain/Ids.ts"
import { Services } from "../Scenario.ts"

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

  it.effect("lists the live sessions of an account with browser and network, and ends one by its id", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const [lister, other] = [UserId.make("lister"), UserId.make("other")]
      const from = (address: string, browser: string) => (start: Effect.Effect<Credential.Credential>) =>
        start.pipe(Effect.provideService(CallerAddress, address), Effect.provideService(CallerBrowser, browser))
      const tokens = yield* Effect.all([
        sessions.start(lister).pipe(from("192.0.2.1", `Old/1 ${"x".repeat(400)}`)),
        sessions.start(lister).pipe(from("192.0.2.2", "New/2")),
        sessions.start(lister)
      ])
      yield* sessions.start(other)
      const started = yield* DateTime.now
      yield* TestClock.adjust("1 day")
      const used = yield* DateTime.now
      yield* sessions.find(Redacted.value(tokens[1])).pipe(Effect.provideService(CallerAddress, "198.51.100.7"))
      const listed = yield* sessions.list(lister)
      assert.deepStrictEqual(
        listed.map(({ address, createdAt, lastSeenAt, userAgent }) => ({
          address,
          userAgent: userAgent?.slice(0, 5),
          createdAt,
          lastSeenAt
        })).slice(0, 1),
        [{ address: "198.51.100.7", userAgent: "New/2", createdAt: started, lastSeenAt: used }]
      )
      assert.sameMembers(listed.map(({ userAgent }) => userAgent?.length), [5, 300, undefined])
      const [newest] = listed
      assert.isFalse(yield* sessions.endOne(other, newest!.id))
      assert.isTrue(yield* sessions.endOne(lister, newest!.id))
      assert.isFalse(yield* sessions.endOne(lister, newest!.id))
      assert.isTrue(Option.isNone(yield* sessions.find(Redacted.value(tokens[1]))))
      yield* TestClock.adjust("13 days")
      assert.deepStrictEqual(yield* sessions.list(lister), [])
    }))

  it.effect("ends one session, or all others of an account", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const [a, b, c] = yield* Effect.all([sessions.start(owner), sessions.start(owner), sessions.start(owner)])
      yield* sessions.end(Redacted.value(a))
      assert.isTrue(Option.isNone(yield* sessions.find(Redacted.value(a))))
      yield* sessions.endAll(owner, owner, Credential.digest(Redacted.value(b)))
      assert.isTrue(Option.isSome(yield* sessions.find(Redacted.value(b))))
      assert.isTrue(Option.isNone(yield* sessions.find(Redacted.value(c))))
    }))

  it.effect("is recent by the instant at which its user has shown who they are, and never by one that is to come", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const now = yield* DateTime.now
      for (
        const [away, isRecent] of [
          ["0 seconds", true],
          ["-599 seconds", true],
          ["-600 seconds", false],
          // Clocks differ a little.
          ["30 seconds", true],
          ["31 seconds", false],
          ["1 hour", false],
          ["20000 days", false]
        ] as const
      ) {
        const authenticatedAt = DateTime.addDuration(now, Duration.fromInputUnsafe(away))
        const token = Redacted.value(yield* sessions.start(owner, { authenticatedAt }))
        assert.strictEqual(Option.getOrThrow(yield* sessions.find(token)).isRecent, isRecent, away)
      }
    }))
})
