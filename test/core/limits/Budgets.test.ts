import { assert, layer } from "@effect/vitest"
import { Cause, Duration, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { Budgets } from "../../../src/core/limits/Budgets.ts"
import { CallerAddress } from "../../../src/core/limits/CallerAddress.ts"
import { LimitServices } from "../../../src/core/limits/LimitServices.ts"
import { UserId } from "../../../src/domain/Ids.ts"
import { TooManyAttempts } from "../../../src/domain/TooManyAttempts.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

const Services = LimitServices.pipe(
  Layer.provideMerge(AppConfig.layerTest({ ACCOUNT_BUDGET: "100", ADDRESS_BUDGET: "150" })),
  Layer.provideMerge(TestDatabase.layer)
)

const newUser = () => UserId.make(randomUUID())

/** Spends as often as told; answers how often it succeeded, and the last refusal. */
const spendTimes = Effect.fnUntraced(function*(times: number, ...action: Parameters<Budgets["Service"]["spend"]>) {
  const { spend } = yield* Budgets
  const exits = yield* Effect.replicateEffect(Effect.exit(spend(...action)), times)
  const reasons = exits.filter(Exit.isFailure).map(({ cause }) => Cause.squash(cause))
  const refused = reasons.find((reason) => reason instanceof TooManyAttempts)
  return {
    done: exits.filter(Exit.isSuccess).length,
    retryAfter: refused && Duration.toMinutes(refused.retryAfter)
  }
})

layer(Services)("A budget", (it) => {
  it.effect("is that of one account and one kind of action, for an hour", () =>
    Effect.gen(function*() {
      const user = newUser()
      assert.deepStrictEqual(yield* spendTimes(100, "change", user), { done: 100, retryAfter: undefined })
      yield* TestClock.adjust("20 minutes")
      assert.deepStrictEqual(yield* spendTimes(2, "change", user), { done: 0, retryAfter: 40 })
      assert.strictEqual((yield* spendTimes(1, "sign-in", user)).done, 1)
      assert.strictEqual((yield* spendTimes(1, "change", newUser())).done, 1)
      yield* TestClock.adjust("40 minutes")
      assert.strictEqual((yield* spendTimes(100, "change", user)).done, 100)
    }))

  it.effect("is that of an address for all accounts, and for none", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* spendTimes(90, "sign-in", newUser())).done, 90)
      assert.strictEqual((yield* spendTimes(90, "sign-in", newUser())).done, 60)
      assert.strictEqual((yield* spendTimes(1, "sign-in")).done, 0)
      const elsewhere = Effect.provideService(spendTimes(1, "sign-in"), CallerAddress, "192.0.2.8")
      assert.strictEqual((yield* elsewhere).done, 1)
    }).pipe(Effect.provideService(CallerAddress, "192.0.2.7")))

  it.effect("counts the networks of IPv6 that one line or server may have together, the wider ones with more", () =>
    Effect.gen(function*() {
      const from = (address: string, times: number) =>
        Effect.map(Effect.provideService(spendTimes(times, "answer"), CallerAddress, address), ({ done }) => done)
      assert.strictEqual(yield* from("2001:db8:1:100::/64", 151), 150)
      assert.strictEqual(yield* from("2001:db8:1:101::/64", 151), 150)
      assert.strictEqual(yield* from("2001:db8:1:1ff::/64", 1), 0)
      assert.strictEqual(yield* from("2001:db8:1:200::/64", 151), 150)
      assert.strictEqual(yield* from("2001:db8:1:300::/64", 151), 150)
      assert.strictEqual(yield* from("2001:db8:1:400::/64", 1), 0)
      assert.strictEqual(yield* from("2001:db8:2:400::/64", 1), 1)
    }))

  it.effect("takes nothing off the network for an account whose own is used up", () =>
    Effect.gen(function*() {
      const user = newUser()
      const inNetwork = Effect.provideService(CallerAddress, "192.0.2.9")
      yield* spendTimes(100, "change", user)
      assert.strictEqual((yield* inNetwork(spendTimes(60, "change", user))).done, 0)
      assert.strictEqual((yield* inNetwork(spendTimes(151, "change"))).done, 150)
    }))

  it.effect("is shared by concurrent actions, and an action that fails costs nothing", () =>
    Effect.gen(function*() {
      const user = newUser()
      const sql = yield* SqlClient.SqlClient
      const { spend } = yield* Budgets
      const failing = spend("change", user).pipe(Effect.andThen(Effect.fail("no")), sql.withTransaction, Effect.exit)
      yield* Effect.replicateEffect(failing, 10, { discard: true })
      const exits = yield* Effect.replicateEffect(Effect.exit(spend("change", user)), 110, { concurrency: "unbounded" })
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 100)
    }))
})
