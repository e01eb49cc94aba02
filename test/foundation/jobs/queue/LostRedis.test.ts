// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { define } from "../../../../src/foundation/jobs/Job.ts"
import { Outbox } from "../../../../src/foundation/jobs/outbox/Outbox.ts"
import { Deliveries } from "../../../../src/foundation/jobs/queue/Deliveries.ts"
import { Relay } from "../../../../src/foundation/jobs/queue/Relay.ts"
import * as Worker from "../../../../src/foundation/jobs/queue/Worker.ts"
import * as OutageLog from "../../../../src/foundation/log/OutageLog.ts"
import { eventually } from "../../../support/Eventually.ts"
import * as TcpProxy from "../../../support/TcpProxy.ts"
import { environment, layer } from "../../../support/TestJobs.ts"
import * as TestRedis from "../../../support/TestRedis.ts"
import * as TestSentinel from "../../../support/TestSentinel.ts"

const Probe = define({
  queue: "probes",
  payload: Schema.Struct({ n: Schema.Int }),
  subject: ({ n }) => `subject:${n % 10}`
})
const jobs = 200

/** What was in hand is given out again after so long. */
const lock = { JOB_LOCK: "1 second" }

/**
 * Publishes jobs while something happens to Redis in the middle, and expects each to tell its recipient once, in order.
 */
const throughout = <E, R>(fault: Effect.Effect<void, E, R>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const outbox = yield* Outbox
    const deliveries = yield* Deliveries
    const told: Array<number> = []
    yield* Layer.build(Layer.merge(
      Relay.layerLoop,
      Worker.layer({
        kind: Probe,
        concurrency: 5,
        handler: ({ n }, job) => deliveries.once(job, "somebody", Effect.sync(() => told.push(n)))
      })
    ))
    const publish = (from: number) =>
      Effect.forEach(Array.from({ length: jobs / 2 }, (_, i) => from + i), (n) => outbox.publish(Probe.make({ n })))
    yield* publish(0)
    yield* eventually(Effect.sync(() => told.length > 10))
    yield* fault
    yield* publish(jobs / 2)
    const open = sql`SELECT 1 FROM outbox WHERE done_at IS NULL`
    yield* eventually(Effect.map(open, (rows) => rows.length === 0))
    assert.lengthOf(told, jobs)
    for (let subject = 0; subject < 10; subject++) {
      const order = told.filter((n) => n % 10 === subject)
      assert.deepStrictEqual(order, order.toSorted((a, b) => a - b))
    }
  })

describe("Jobs are done once", () => {
  const { missing } = TestRedis
  if (missing !== undefined) return it.skip(missing)

  const running = (env: Readonly<Record<string, string>>) => Deliveries.layer.pipe(Layer.provideMerge(layer(env)))

  it.live("when a Redis is killed, and another one comes in its place without any data", () =>
    Effect.gen(function*() {
      const { env, redis } = yield* environment("redis", lock)
      if (redis === undefined) return assert.fail("no Redis")
      yield* throughout(Effect.andThen(redis.kill, redis.start)).pipe(Effect.scoped, Effect.provide(running(env)))
    }), 180_000)

  it.live(
    "when the master of a Redis with Sentinel is killed and the replica is promoted",
    () =>
      Effect.gen(function*() {
        const sentinel = yield* TestSentinel.make
        const { env } = yield* environment("postgres", { ...lock, ...sentinel.env })
        yield* throughout(Effect.andThen(sentinel.killMaster, sentinel.promoted)).pipe(
          Effect.scoped,
          Effect.provide(running(env))
        )
      }),
    180_000
  )

  it.live(
    "when a managed Redis fails over behind one name, and its old master lives on as a replica",
    () =>
      Effect.gen(function*() {
        const { env, redis } = yield* environment("redis")
        if (redis === undefined) return assert.fail("no Redis")
        const replica = yield* TestRedis.make
        const proxy = yield* TcpProxy.make(redis.port)
        yield* replica.follow(redis)
        const failover = Effect.gen(function*() {
          yield* replica.follow("nobody")
          yield* redis.follow(replica)
          // The name leads to the old master for a while, and connections that are open stay there for good.
          yield* eventually(Effect.map(proxy.connections, (open) => open > 0))
          yield* proxy.lead(replica.port)
        })
        yield* throughout(failover).pipe(
          Effect.scoped,
          Effect.provide(running({ ...env, REDIS_URL: TestRedis.urlAt(proxy.port) }))
        )
      }),
    180_000
  )

  it.live("and the log has one outage, from the first error to the last", () =>
    Effect.gen(function*() {
      const { env, redis } = yield* environment("redis", lock)
      if (redis === undefined) return assert.fail("no Redis")
      yield* Effect.gen(function*() {
        const open = yield* OutageLog.OpenOutages
        const outbox = yield* Outbox
        yield* Layer.build(Layer.merge(Relay.layerLoop, Worker.layer({ kind: Probe, handler: () => Effect.void })))
        yield* redis.kill
        yield* outbox.publish(Probe.make({ n: 0 }))
        yield* eventually(Effect.sync(() => (open.get("queues")?.failures ?? 0) > 5))
        assert.deepStrictEqual([...open.keys()], ["queues"])
        yield* redis.start
        yield* eventually(Effect.sync(() => open.size === 0))
      }).pipe(
        Effect.scoped,
        Effect.provide(running(env)),
        Effect.provideService(OutageLog.OpenOutages, new Map())
      )
    }), 180_000)
})
