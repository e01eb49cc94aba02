// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Deferred, Duration, Effect, Layer, Schema } from "effect"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import { define, type Times } from "../../../../src/foundation/jobs/Job.ts"
import type { JobQueue } from "../../../../src/foundation/jobs/queue/JobQueue.ts"
import { Queues } from "../../../../src/foundation/jobs/queue/Queues.ts"
import { keepScheduled } from "../../../../src/foundation/jobs/queue/Schedules.ts"
import { shift } from "../../../../src/testing/ShiftedClock.ts"
import { layerOn, stores } from "../../../support/TestJobs.ts"

const kind = define({ queue: "nightly", payload: Schema.Struct({ n: Schema.Int }), subject: ({ n }) => `subject:${n}` })

/** Starts a worker with these settings, and answers how often it writes the schedule, and what that is then. */
const start = Effect.fnUntraced(function*(times: Times, n: number, attempts: string) {
  const queues = yield* Queues
  const queue = yield* queues.queue("nightly")
  let writes = 0
  const counting: JobQueue = new Proxy(queue, {
    get: (target, name) => {
      if (name === "upsertJobScheduler") writes++
      const value: unknown = Reflect.get(target, name)
      return typeof value === "function" ? value.bind(target) : value
    }
  })
  const kept = yield* Deferred.make<void>()
  const services = Layer.mergeAll(
    AppConfig.layerTest({ JOB_ATTEMPTS: attempts }),
    Layer.succeed(Queues, {
      ...queues,
      queue: () => Effect.succeed(counting),
      ask: (call) => Effect.tap(queues.ask(call), () => Deferred.succeed(kept, undefined))
    })
  )
  yield* keepScheduled(kind.make({ n }), times).pipe(
    Effect.andThen(Deferred.await(kept)),
    Effect.scoped,
    Effect.provide(services)
  )
  const found = yield* Effect.promise(() => queue.getJobScheduler("scheduled"))
  return { writes, payload: found?.template?.data?.payload, attempts: found?.template?.opts?.attempts }
})

const inTwoMonths = Effect.map(Clock.Clock, (clock) => shift(clock, () => Duration.days(62)))

describe.each(stores)("a schedule with the queues in $store", ({ skip, store }) => {
  if (skip !== undefined) return it.skip(skip)

  layer(layerOn(store), { excludeTestServices: true })("", (it) => {
    it.effect("is renewed when its times, its payload or the settings of jobs change, and only then", () =>
      Effect.gen(function*() {
        for (const times of [{ cron: "0 3 * * *" }, { every: Duration.hours(1) }]) {
          assert.deepStrictEqual(yield* start(times, 1, "3"), { writes: 1, payload: { n: 1 }, attempts: 3 })
          assert.deepStrictEqual(yield* start(times, 1, "3"), { writes: 0, payload: { n: 1 }, attempts: 3 })
          assert.deepStrictEqual(yield* start(times, 1, "7"), { writes: 1, payload: { n: 1 }, attempts: 7 })
          assert.deepStrictEqual(yield* start(times, 2, "7"), { writes: 1, payload: { n: 2 }, attempts: 7 })
          assert.deepStrictEqual(yield* start(times, 2, "7"), { writes: 0, payload: { n: 2 }, attempts: 7 })
        }
      }))

    it.effect("is not renewed while a run by its pattern is due and has not begun, because that would drop the run", () =>
      Effect.gen(function*() {
        const times = { cron: "0 3 1 * *" }
        yield* start(times, 1, "3")
        const later = Effect.provideService(start(times, 2, "3"), Clock.Clock, yield* inTwoMonths)
        assert.deepStrictEqual(yield* later, { writes: 0, payload: { n: 1 }, attempts: 3 })
        assert.deepStrictEqual(yield* start(times, 2, "3"), { writes: 1, payload: { n: 2 }, attempts: 3 })
      }))
  })
})
