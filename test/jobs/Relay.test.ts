// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { define } from "../../src/jobs/Job.ts"
import { Outbox } from "../../src/jobs/Outbox.ts"
import { jobId, OutboxRepo } from "../../src/jobs/OutboxRepo.ts"
import { Queues } from "../../src/jobs/Queues.ts"
import { Relay } from "../../src/jobs/Relay.ts"
import * as Worker from "../../src/jobs/Worker.ts"
import { environment, eventually, layer, stores } from "../support/TestJobs.ts"
import * as TestRedis from "../support/TestRedis.ts"

const Probe = define({
  queue: "probes",
  payload: Schema.Struct({ n: Schema.Int }),
  subject: ({ n }) => `subject:${n}`
})

const publish = (n: number) => Effect.flatMap(Outbox, (outbox) => outbox.publish(Probe.make({ n })))

const count = (condition: "done_at IS NOT NULL" | "dead_at IS NOT NULL") =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM outbox WHERE ${sql.literal(condition)}`
    return row?.n ?? 0
  })

const queue = Effect.flatMap(Queues, (queues) => queues.queue(Probe.queue))

// As if the jobs had been enqueued long ago.
const age = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`UPDATE outbox SET enqueued_at = enqueued_at - interval '1 hour' WHERE enqueued_at IS NOT NULL`
)

describe.each(stores)("Relay with the queues in $store", ({ skip, store }) => {
  if (skip !== undefined) return it.skip(skip)

  it.live("enqueues again what its queue has lost, and only that", () =>
    Effect.gen(function*() {
      const { env } = yield* environment(store)
      yield* Effect.gen(function*() {
        const relay = yield* Relay
        yield* Effect.forEach([1, 2, 3], publish)
        assert.strictEqual(yield* relay.move, 3)
        assert.strictEqual(yield* relay.move, 0)
        assert.strictEqual(yield* relay.recover, 0, "what was just enqueued is not looked for")

        const probes = yield* queue
        yield* Effect.promise(() => probes.remove(jobId(2n)))
        yield* age
        assert.strictEqual(yield* relay.recover, 3)
        assert.strictEqual(yield* Effect.promise(() => probes.getWaitingCount()), 3)
        assert.strictEqual(yield* relay.recover, 0)
      }).pipe(Effect.scoped, Effect.provide(layer(env)))
    }))

  it.live("puts aside what failed in its queue without anybody telling", () =>
    Effect.gen(function*() {
      const { env } = yield* environment(store)
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const relay = yield* Relay
        const repo = yield* OutboxRepo
        yield* Layer.build(Worker.layer({ kind: Probe, handler: () => Effect.die("the worker was killed") }))
        yield* publish(1)
        yield* relay.move
        yield* eventually(Effect.map(count("dead_at IS NOT NULL"), (n) => n === 1))
        yield* sql`UPDATE outbox SET dead_at = NULL, cause = NULL`
        yield* age
        yield* relay.recover
        assert.strictEqual((yield* repo.dead(10))[0]?.cause, "the worker was killed")
      }).pipe(Effect.scoped, Effect.provide(layer({ ...env, JOB_ATTEMPTS: "1" })))
    }))

  it.live("does not take a job of another database for its own", () =>
    Effect.gen(function*() {
      const { env } = yield* environment(store)
      yield* Effect.gen(function*() {
        const relay = yield* Relay
        const probes = yield* queue
        const stale = { subject: "subject:1", at: "2020-01-01T00:00:00.000Z", payload: { n: 666 } }
        yield* Effect.promise(() => probes.add(Probe.queue, stale, { jobId: jobId(1n) }))
        yield* publish(1)
        yield* relay.move
        const seen: Array<number> = []
        yield* Layer.build(Worker.layer({ kind: Probe, handler: ({ n }) => Effect.sync(() => seen.push(n)) }))
        yield* eventually(Effect.map(Effect.promise(() => probes.getCompletedCount()), (n) => n === 1))
        yield* age
        yield* relay.recover
        yield* eventually(Effect.map(count("done_at IS NOT NULL"), (n) => n === 1))
        assert.deepStrictEqual(seen, [1])
      }).pipe(Effect.scoped, Effect.provide(layer(env)))
    }))
})

describe("Relay when Redis fails", () => {
  if (TestRedis.missing !== undefined) return it.skip(TestRedis.missing)

  it.live("keeps what is published while Redis is away and delivers it when it is back, wiped", () =>
    Effect.gen(function*() {
      const { env, redis } = yield* environment("redis")
      if (redis === undefined) return
      yield* Effect.gen(function*() {
        const relay = yield* Relay
        const seen: Array<number> = []
        yield* Layer.build(Worker.layer({ kind: Probe, handler: ({ n }) => Effect.sync(() => seen.push(n)) }))
        yield* publish(1)
        yield* relay.move
        yield* eventually(Effect.map(count("done_at IS NOT NULL"), (n) => n === 1))

        yield* redis.kill
        yield* publish(2)
        assert.strictEqual((yield* Effect.flip(relay.move))._tag, "QueuesUnavailable")
        yield* redis.start
        yield* eventually(Effect.match(relay.move, { onFailure: () => false, onSuccess: () => true }))
        yield* eventually(Effect.map(count("done_at IS NOT NULL"), (n) => n === 2))
        assert.deepStrictEqual(seen, [1, 2])
      }).pipe(Effect.scoped, Effect.provide(layer(env)))
    }))

  it.live("enqueues again what was waiting in a Redis that was wiped", () =>
    Effect.gen(function*() {
      const { env, redis } = yield* environment("redis")
      if (redis === undefined) return
      yield* Effect.gen(function*() {
        const relay = yield* Relay
        yield* Effect.forEach([1, 2, 3], publish)
        yield* relay.move
        yield* redis.wipe
        yield* age
        yield* relay.recover
        const seen: Array<number> = []
        yield* Layer.build(Worker.layer({ kind: Probe, handler: ({ n }) => Effect.sync(() => seen.push(n)) }))
        yield* eventually(Effect.map(count("done_at IS NOT NULL"), (n) => n === 3))
        assert.deepStrictEqual(seen.toSorted(), [1, 2, 3])
      }).pipe(Effect.scoped, Effect.provide(layer(env)))
    }))

  it.live("starts while Redis is away", () =>
    Effect.gen(function*() {
      const { env, redis } = yield* environment("redis")
      if (redis === undefined) return
      yield* redis.kill
      yield* Effect.gen(function*() {
        const relay = yield* Relay
        const seen: Array<number> = []
        yield* Layer.build(Worker.layer({ kind: Probe, handler: ({ n }) => Effect.sync(() => seen.push(n)) }))
        yield* publish(1)
        yield* Effect.flip(relay.move)
        yield* redis.start
        yield* eventually(Effect.match(relay.move, { onFailure: () => false, onSuccess: () => true }))
        yield* eventually(Effect.map(count("done_at IS NOT NULL"), (n) => n === 1))
      }).pipe(Effect.scoped, Effect.provide(layer(env)))
    }))
})
