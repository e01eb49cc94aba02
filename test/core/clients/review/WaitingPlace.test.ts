import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { ReviewDesk } from "../../../../src/core/clients/review/ReviewDesk.ts"
import type { ClientId } from "../../../../src/domain/Ids.ts"
import { newClient, people, Services } from "../Scenario.ts"

const start = DateTime.makeUnsafe("2027-03-01T09:00:00Z")

layer(Services)("The place of an app that waits", (it) => {
  const placeOf = Effect.fnUntraced(function*(id: ClientId) {
    const review = yield* ClientReview
    const desk = yield* ReviewDesk
    const waiting = yield* desk.waiting(yield* review.get(id))
    return Option.getOrUndefined(Option.map(waiting, ({ place }) => place))
  })

  it.effect("is the one in the queue: it moves on with decisions, and behind an answer", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(DateTime.toEpochMillis(start))
      const desk = yield* ReviewDesk
      const review = yield* ClientReview
      const { admin, owner } = yield* people
      const apps = yield* Effect.forEach([1, 2, 3, 4], () =>
        Effect.tap(
          Effect.map(newClient(owner), ({ client }) => client),
          () => TestClock.adjust("1 hour")
        ))
      const [first, second, third, fourth] = apps.map(({ id }) => id)
      if (!first || !second || !third || !fourth) return assert.fail()
      assert.deepStrictEqual(yield* Effect.forEach(apps, ({ id }) => placeOf(id)), [1, 2, 3, 4])
      // The clock of an app stands while its owner has a question to answer, and nobody looks at it.
      yield* desk.ask(admin, third, "What for?")
      assert.deepStrictEqual(yield* Effect.forEach(apps, ({ id }) => placeOf(id)), [1, 2, undefined, 3])
      yield* desk.answer(owner, third, "For doors.")
      assert.deepStrictEqual(yield* Effect.forEach(apps, ({ id }) => placeOf(id)), [2, 3, 1, 4])
      yield* review.approve(admin, first, 1)
      assert.deepStrictEqual(yield* Effect.forEach(apps, ({ id }) => placeOf(id)), [undefined, 2, 1, 3])
      // A change of an approved app waits with the others.
      const registry = yield* ClientRegistry
      yield* registry.edit(owner, first, { website: "https://other.example" })
      assert.strictEqual(yield* placeOf(first), 4)
    }))

  it.effect("comes with the usual time of a review once there were five lately", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.add(start, { days: 200 })))
      const { usualReview } = yield* ReviewDesk
      const review = yield* ClientReview
      const registry = yield* ClientRegistry
      const { admin, owner } = yield* people
      const decide = Effect.fnUntraced(function*(hours: number, how: "approve" | "reject" = "approve") {
        const { client: { id } } = yield* newClient(owner)
        yield* TestClock.adjust(Duration.hours(hours))
        yield* how === "approve" ? review.approve(admin, id, 1) : review.reject(admin, id, "No.", 1)
        return id
      })
      const changed = yield* decide(1)
      for (const hours of [2, 3]) yield* decide(hours)
      yield* decide(40, "reject")
      assert.isTrue(Option.isNone(yield* usualReview))
      yield* decide(50)
      const usual = Effect.map(usualReview, (time) => Option.getOrThrow(Option.map(time, Duration.toHours)))
      assert.strictEqual(yield* usual, 3)
      // The decision about a change later is none about the app, which took an hour.
      const { version } = yield* registry.edit(owner, changed, { website: "https://other.example" })
      yield* TestClock.adjust("20 days")
      yield* review.approve(admin, changed, version)
      assert.strictEqual(yield* usual, 3)
      yield* TestClock.adjust("90 days")
      assert.isTrue(Option.isNone(yield* usualReview))
    }))
})
