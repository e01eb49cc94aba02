import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import type { Redemption } from "../../../src/core/grants/CodeRedemption.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import { clientId, sha256, userId } from "../tokens/Fixture.ts"
import { issue, other, redemption, Services } from "./Scenario.ts"

layer(Services)("Codes", (it) => {
  it.effect("are redeemed once, however many requests try at the same time", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const digest = yield* issue()
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.flatMap(redemption(digest), grants.redeem),
        { concurrency: "unbounded" }
      )
      const redeemed = outcomes.filter((outcome) => outcome._tag === "Redeemed")
      assert.strictEqual(redeemed.length, 1)
      assert.deepStrictEqual(redeemed[0]?.scopes, ["BOOKING_READ", "PROFILE_READ"])
      for (const outcome of outcomes) {
        if (outcome._tag === "Replayed") assert.strictEqual(outcome.grantId, redeemed[0]?.grantId)
        else assert.strictEqual(outcome, redeemed[0])
      }
    }))

  it.effect("are not spent by a request that does not match, even in one batch with one that does", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const digest = yield* issue()
      const wrong: ReadonlyArray<Partial<Redemption>> = [
        other,
        { redirectUri: "https://app.test/other" },
        { codeChallenge: "wrong" },
        { codeChallenge: null },
        { digest: sha256("unknown") }
      ]
      const unauthenticated = [{ secretDigest: null }, { secretDigest: other.secretDigest }]
      const requests = yield* Effect.forEach(
        [...unauthenticated, ...wrong, {}, ...wrong],
        (changes) => redemption(digest, changes)
      )
      const outcomes = yield* Effect.forEach(requests, grants.redeem, { concurrency: "unbounded" })
      assert.deepStrictEqual(outcomes.map(({ _tag }) => _tag), [
        // All are in one batch, and the code is spent by the time that these are explained.
        ...unauthenticated.map(() => "Replayed" as const),
        ...wrong.map(() => "Refused" as const),
        "Redeemed",
        ...wrong.map(() => "Refused" as const)
      ])
    }))

  it.effect("are refused when they have expired", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const digest = yield* issue()
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual((yield* grants.redeem(yield* redemption(digest)))._tag, "Refused")
    }))

  it.effect("hand the terms of the consent on to the grant, whose end is never later than the server's own", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const open = Effect.fnUntraced(function*(hours: number | null) {
        const grantExpiresAt = hours === null ? null : DateTime.add(yield* DateTime.now, { hours })
        const digest = yield* issue(["BOOKING_READ"], {
          declined: ["BOOKING_WRITE"],
          browser: "Firefox",
          place: "203.0.113.7",
          grantExpiresAt
        })
        yield* TestClock.adjust("30 seconds")
        const now = yield* DateTime.now
        const redeemed = yield* grants.redeem(yield* redemption(digest))
        assert(redeemed._tag === "Redeemed")
        const { browser, declined, expiresAt, place } = Option.getOrThrow(yield* grants.findLive(redeemed.grantId))
        assert.deepStrictEqual([declined, browser, place], [["BOOKING_WRITE"], "Firefox", "203.0.113.7"])
        return DateTime.distance(now, expiresAt)
      })
      assert.deepStrictEqual(yield* open(2), Duration.minutes(119.5))
      assert.deepStrictEqual(yield* open(11), Duration.hours(10))
      assert.deepStrictEqual(yield* open(null), Duration.hours(10))
    }))

  it.effect("are withdrawn when the user disconnects the app", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const digest = yield* issue()
      yield* grants.disconnect(userId, clientId)
      assert.strictEqual((yield* grants.redeem(yield* redemption(digest)))._tag, "Refused")
    }))
})
