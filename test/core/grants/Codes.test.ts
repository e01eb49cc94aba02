import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
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

  it.effect("are withdrawn when the user disconnects the app", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const digest = yield* issue()
      yield* grants.disconnect(userId, clientId)
      assert.strictEqual((yield* grants.redeem(yield* redemption(digest)))._tag, "Refused")
    }))
})
