// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, DateTime, Deferred, Duration, Effect, Fiber, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { define } from "../../../../src/foundation/jobs/Job.ts"
import { Outbox } from "../../../../src/foundation/jobs/outbox/Outbox.ts"
import { jobId, OutboxRepo } from "../../../../src/foundation/jobs/outbox/OutboxRepo.ts"
import { Queues } from "../../../../src/foundation/jobs/queue/Queues.ts"
import { Relay } from "../../../../src/foundation/jobs/queue/Relay.ts"
import * as Worker from "../../../../src/foundation/jobs/queue/Worker.ts"
import { shift } from "../../../../src/testing/ShiftedClock.ts"
import { eventually } from "../../../support/Eventually.ts"
import { recordedSpans } from "../../../support/RecordedSpans.ts"
import { layerOn, Redis, stores } from "../../../support/TestJobs.ts"
import { layerWrong } from "../../../support/WrongClock.ts"

const Payload = Schema.Struct({ n: Schema.Int })

/** A kind of job for one test, and an empty outbox. */
const prepare = Effect.fnUntraced(function*(name: string) {
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* Outbox
  const kind = define({ queue: name, payload: Payload, subject: ({ n }) => `subject:${n}` })
  yield* sql`DELETE FROM outbox`
  return {
    kind,
    queue: yield* Effect.flatMap(Queues, (queues) => queues.queue(name)),
    publish: (n: number) => outbox.publish(kind.make({ n })),
    seen: [] as Array<number>
  }
})

const worker = ({ kind, seen }: Effect.Success<ReturnType<typeof prepare>>) =>
  Layer.build(Worker.layer({ kind, handler: ({ n }) => Effect.sync(() => seen.push(n)) }))

const outboxHas = (n: number, where: "done_at IS NOT NULL" | "dead_at IS NOT NULL") =>
  eventually(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return (yield* sql`SELECT 1 FROM outbox WHERE ${sql.literal(where)}`).length === n
  }))

// Makes the jobs look as if they had been enqueued long ago.
const age = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`UPDATE outbox SET enqueued_at = enqueued_at - interval '1 hour' WHERE enqueued_at IS NOT NULL`
)

const ids = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql<{ id: bigint }>`SELECT id FROM outbox ORDER BY id`).map(({ id }) => jobId(id))
})

const openIds = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: bigint }>`SELECT id FROM outbox WHERE done_at IS NULL ORDER BY id`
  return rows.map(({ id }) => id)
})

/** Milliseconds since the oldest open job was due. */
const lateBy = Effect.gen(function*() {
  const [{ oldest = null } = {}] = yield* (yield* OutboxRepo).backlog
  const now = yield* DateTime.now
  return Option.map(Option.fromNullOr(oldest), (due) => DateTime.toEpochMillis(now) - DateTime.toEpochMillis(due))
})

/** Does it as if it was an hour later. */
const later = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Clock.clockWith((clock) => Effect.provideService(effect, Clock.Clock, shift(clock, () => Duration.hours(1))))

// An embedded database does one transaction after the other.
const sharesOneSession = process.env["TEST_DATABASE_URL"] === undefined

const traceparents = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ traceparent: string | null }>`SELECT traceparent FROM outbox ORDER BY id`
  return rows.map(({ traceparent }) => traceparent ?? undefined)
})

const enqueues = eventually(Effect.match(Effect.flatMap(Relay, ({ enqueueNext }) => enqueueNext), {
  onFailure: () => false,
  onSuccess: () => true
}))

describe.each(stores)("Relay with the queues in $store", ({ skip, store }) => {
  if (skip !== undefined) return it.skip(skip)

  layer(layerOn(store, { JOB_ATTEMPTS: "1" }), { excludeTestServices: true })("", (it) => {
    it.effect("passes the trace of a job on, in a span of its own where spans are taken", () =>
      Effect.gen(function*() {
        const relay = yield* Relay
        const { publish, queue } = yield* prepare("traced")
        const { layer, spans } = recordedSpans()
        const dataOf = Effect.fnUntraced(function*(id = "") {
          return (yield* Effect.promise(() => queue.getJob(id)))?.data
        })
        yield* publish(1)
        yield* Effect.provide(Effect.withSpan(publish(2), "change"), layer)
        yield* relay.enqueueNext
        const [, published = ""] = yield* traceparents
        const [plain, traced] = yield* ids
        assert.isUndefined((yield* dataOf(plain))?.traceparent)
        assert.strictEqual((yield* dataOf(traced))?.traceparent, published)

        yield* Effect.provide(Effect.withSpan(publish(3), "change"), layer)
        yield* Effect.provide(relay.enqueueNext, layer)
        const [sent] = spans.filter(({ name }) => name === "send traced")
        const [, , last = ""] = yield* traceparents
        assert.strictEqual(Option.getOrThrow(sent?.parent ?? Option.none()).spanId, last.split("-")[2])
        assert.strictEqual((yield* dataOf((yield* ids)[2]))?.traceparent, `00-${sent?.traceId}-${sent?.spanId}-01`)
      }))

    it.effect("tells how long it has looked for no jobs, whatever the clock of the machine is set to", () =>
      Effect.gen(function*() {
        const relay = yield* Relay
        yield* relay.enqueueNext
        for (const offset of [Duration.hours(1), Duration.hours(-1)]) {
          const since = yield* Effect.provide(relay.sinceLastPass, layerWrong(() => offset))
          assert.isBelow(Math.abs(Duration.toMinutes(since)), 30)
        }
      }))

    it.effect("enqueues again what its queue has lost, and only that", () =>
      Effect.gen(function*() {
        const relay = yield* Relay
        const { publish, queue } = yield* prepare("lossy")
        yield* Effect.forEach([1, 2, 3], publish)
        assert.strictEqual(yield* relay.enqueueNext, 3)
        assert.strictEqual(yield* relay.enqueueNext, 0)
        assert.strictEqual(yield* relay.reconcile, 0, "what was just enqueued is not looked for")

        const [, second = ""] = yield* ids
        yield* Effect.promise(() => queue.remove(second))
        yield* age
        assert.strictEqual(yield* relay.reconcile, 3)
        assert.strictEqual(yield* Effect.promise(() => queue.getWaitingCount()), 3)
        assert.strictEqual(yield* relay.reconcile, 0)
      }))

    it.effect("puts aside what failed in its queue without anybody telling", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const relay = yield* Relay
        const repo = yield* OutboxRepo
        const { kind, publish } = yield* prepare("silent")
        yield* Layer.build(Worker.layer({ kind, handler: () => Effect.die("the worker was killed") }))
        yield* publish(1)
        yield* relay.enqueueNext
        yield* outboxHas(1, "dead_at IS NOT NULL")
        yield* sql`UPDATE outbox SET dead_at = NULL, cause = NULL`
        yield* eventually(Effect.gen(function*() {
          yield* age
          yield* relay.reconcile
          return (yield* repo.dead(10))[0]?.cause === "the worker was killed"
        }))
      }))

    it.effect("leaves a job alone until it is due, and those of its subject behind it", () =>
      Effect.gen(function*() {
        const outbox = yield* Outbox
        const relay = yield* Relay
        const repo = yield* OutboxRepo
        const { kind, publish, queue } = yield* prepare("delayed")
        yield* outbox.delay(kind.make({ n: 1 }), Duration.minutes(30))
        yield* publish(1)
        yield* publish(2)
        assert.strictEqual(yield* relay.enqueueNext, 1)
        assert.deepInclude((yield* repo.backlog)[0], { open: 3, waiting: 2 })
        yield* repo.markDone((yield* openIds).at(-1) ?? 0n)
        // What is not due yet is not late, nor is what waits behind it.
        assert.deepInclude((yield* repo.backlog)[0], { open: 2, waiting: 2, oldest: null })
        assert.strictEqual(yield* later(relay.enqueueNext), 1)
        assert.strictEqual(yield* later(relay.enqueueNext), 0, "the second of the subject waits for the first")
        assert.isAbove(Option.getOrThrow(yield* later(lateBy)), Duration.toMillis("29 minutes"))
        assert.strictEqual(yield* Effect.promise(() => queue.getWaitingCount()), 2)
      }))

    it.effect("enqueues a job that is due or lets it be taken back, and never does both", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const outbox = yield* Outbox
        const relay = yield* Relay
        const { kind, queue } = yield* prepare("withdrawn")
        const delayed = outbox.delay(kind.make({ n: 1 }), Duration.minutes(30))

        // Taken back in time, by a transaction that has not ended when the job would be due.
        const first = yield* delayed
        const isTakenBack = yield* Deferred.make<void>()
        const mayEnd = yield* Deferred.make<void>()
        const withdrawal = yield* Effect.forkChild(sql.withTransaction(
          outbox.withdraw([first]).pipe(
            Effect.tap(() => Deferred.succeed(isTakenBack, undefined)),
            Effect.tap(() => Deferred.await(mayEnd))
          )
        ))
        yield* Deferred.await(isTakenBack)
        const pass = yield* Effect.forkChild(later(relay.enqueueNext))
        yield* Effect.yieldNow
        yield* (sharesOneSession ? Effect.void : Fiber.await(pass))
        yield* Deferred.succeed(mayEnd, undefined)
        assert.isTrue(yield* Fiber.join(withdrawal))
        assert.strictEqual(yield* Fiber.join(pass), 0)
        assert.deepStrictEqual(yield* openIds, [])

        // Due before a relay has looked, or enqueued already.
        const second = yield* delayed
        assert.isFalse(yield* later(outbox.withdraw([second])))
        assert.strictEqual(yield* later(relay.enqueueNext), 1)
        assert.isFalse(yield* outbox.withdraw([second]))
        assert.strictEqual(yield* Effect.promise(() => queue.getWaitingCount()), 1)
      }))

    it.effect("does not take a job of another database for its own", () =>
      Effect.gen(function*() {
        const relay = yield* Relay
        const probe = yield* prepare("foreign")
        yield* probe.publish(1)
        const [id = ""] = yield* ids
        const stale = { subject: "subject:1", at: "2020-01-01T00:00:00.000Z", payload: { n: 666 } }
        yield* Effect.promise(() => probe.queue.add("foreign", stale, { jobId: id }))
        yield* relay.enqueueNext
        yield* worker(probe)
        yield* outboxHas(1, "done_at IS NOT NULL")
        assert.deepStrictEqual(probe.seen, [1])
      }))

    if (store !== "redis") return

    it.effect("keeps what is published while Redis is away and delivers it when it is back, empty", () =>
      Effect.gen(function*() {
        const redis = yield* Redis
        const relay = yield* Relay
        const probe = yield* prepare("away")
        yield* worker(probe)
        yield* probe.publish(1)
        yield* relay.enqueueNext
        yield* outboxHas(1, "done_at IS NOT NULL")

        yield* redis?.kill ?? Effect.void
        yield* probe.publish(2)
        assert.strictEqual((yield* Effect.flip(relay.enqueueNext))._tag, "QueuesUnavailable")
        yield* redis?.start ?? Effect.void
        yield* enqueues
        yield* outboxHas(2, "done_at IS NOT NULL")
        assert.deepStrictEqual(probe.seen, [1, 2])
      }))

    it.effect("enqueues again what was waiting in a Redis that was wiped", () =>
      Effect.gen(function*() {
        const redis = yield* Redis
        const relay = yield* Relay
        const probe = yield* prepare("wiped")
        yield* Effect.forEach([1, 2, 3], probe.publish)
        yield* relay.enqueueNext
        yield* redis?.wipe ?? Effect.void
        yield* age
        yield* relay.reconcile
        yield* worker(probe)
        yield* outboxHas(3, "done_at IS NOT NULL")
        assert.deepStrictEqual(probe.seen.toSorted(), [1, 2, 3])
      }))

    it.effect("opens a queue and a worker while Redis is away", () =>
      Effect.gen(function*() {
        const redis = yield* Redis
        const relay = yield* Relay
        yield* redis?.kill ?? Effect.void
        const probe = yield* prepare("early")
        yield* worker(probe)
        yield* probe.publish(1)
        yield* Effect.flip(relay.enqueueNext)
        yield* redis?.start ?? Effect.void
        yield* enqueues
        yield* outboxHas(1, "done_at IS NOT NULL")
      }))
  })
})
