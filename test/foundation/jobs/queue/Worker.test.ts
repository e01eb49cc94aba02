import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Schema, Scope } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { define } from "../../../../src/foundation/jobs/Job.ts"
import { Outbox } from "../../../../src/foundation/jobs/outbox/Outbox.ts"
import { OutboxRepo } from "../../../../src/foundation/jobs/outbox/OutboxRepo.ts"
import { Queues } from "../../../../src/foundation/jobs/queue/Queues.ts"
import { Relay } from "../../../../src/foundation/jobs/queue/Relay.ts"
import * as Worker from "../../../../src/foundation/jobs/queue/Worker.ts"
import * as OutageLog from "../../../../src/foundation/log/OutageLog.ts"
import { eventually } from "../../../support/Eventually.ts"
import { layerOn, stores } from "../../../support/TestJobs.ts"

const Payload = Schema.Struct({ subject: Schema.String, n: Schema.FiniteFromString })
const probe = (queue: string) => define({ queue, payload: Payload, subject: ({ subject }) => subject })
type Probe = ReturnType<typeof probe>

const publish = (kind: Probe, subject: string, n: number) =>
  Effect.flatMap(Outbox, (outbox) => outbox.publish(kind.make({ subject, n })))

const isDone = Effect.fnUntraced(function*(kind: Probe, count: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ done: number }>`
    SELECT count(*)::int AS done FROM outbox WHERE queue = ${kind.queue} AND done_at IS NOT NULL`
  return row?.done === count
})

const dead = Effect.fnUntraced(function*(kind: Probe) {
  const repo = yield* OutboxRepo
  return (yield* repo.dead(100)).filter(({ queue }) => queue === kind.queue)
})

const away = new SqlError.ConnectionError({ cause: new Error("refused"), message: "no connection" })

const enqueue = Effect.flatMap(Relay, (relay) => relay.enqueueNext)

describe.each(stores)("Worker on $store", ({ skip, store }) => {
  if (skip !== undefined) return it.skip(skip)

  layer(layerOn(store, { JOB_ATTEMPTS: "3" }), { excludeTestServices: true })("", (it) => {
    it.effect("does what was published once, in order for each subject", () =>
      Effect.gen(function*() {
        const kind = probe("ordered")
        const seen: Array<string> = []
        yield* Layer.build(Layer.mergeAll(
          Relay.layerLoop,
          Worker.layer({
            kind,
            concurrency: 4,
            handler: ({ n, subject }) => Effect.sync(() => seen.push(`${subject}${n}`))
          })
        ))
        yield* Effect.forEach(
          [1, 2, 3, 4],
          (n) => Effect.andThen(publish(kind, "a", n), publish(kind, "b", n))
        )
        yield* eventually(isDone(kind, 8))
        assert.deepStrictEqual(seen.filter((job) => job.startsWith("a")), ["a1", "a2", "a3", "a4"])
        assert.deepStrictEqual(seen.filter((job) => job.startsWith("b")), ["b1", "b2", "b3", "b4"])
      }))

    it.effect("does a job once though it is enqueued again, even after its queue has forgotten it", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const kind = probe("repeated")
        let runs = 0
        yield* publish(kind, "a", 1)
        yield* enqueue
        const queue = yield* Effect.flatMap(Queues, (queues) => queues.queue(kind.queue))
        const [job] = yield* Effect.promise(() => queue.getWaiting())
        yield* sql`UPDATE outbox SET enqueued_at = NULL WHERE queue = ${kind.queue}`
        yield* enqueue
        yield* Layer.build(Worker.layer({ kind, handler: () => Effect.sync(() => runs++) }))
        yield* eventually(isDone(kind, 1))
        yield* eventually(Effect.promise(() => queue.getCompletedCount()).pipe(Effect.map((count) => count === 1)))

        yield* Effect.promise(() => queue.remove(job?.id ?? ""))
        yield* Effect.promise(() => queue.add(kind.queue, job!.data, { jobId: job?.id ?? "" }))
        yield* eventually(Effect.promise(() => queue.getCompletedCount()).pipe(Effect.map((count) => count === 1)))
        assert.strictEqual(runs, 1)
      }))

    it.effect("puts a payload that does not decode aside with the cause and goes on", () =>
      Effect.gen(function*() {
        const kind = probe("undecodable")
        const outbox = yield* Outbox
        yield* Layer.build(Layer.mergeAll(Relay.layerLoop, Worker.layer({ kind, handler: () => Effect.void })))
        yield* outbox.publish({ queue: kind.queue, subject: "a", payload: { subject: "a", n: {} } })
        yield* publish(kind, "a", 2)
        yield* eventually(isDone(kind, 1))
        const [job] = yield* dead(kind)
        assert.strictEqual(job?.subject, "a")
        assert.include(job?.cause ?? "", "[\"n\"]")
      }))

    it.effect("tries again, puts aside what keeps failing, and replays it on demand", () =>
      Effect.gen(function*() {
        const kind = probe("failing")
        const repo = yield* OutboxRepo
        let attempts = 0
        let mended = false
        const handler = Effect.fnUntraced(function*() {
          attempts++
          if (!mended) return yield* new Trouble({ message: "the mail server is down" })
        })
        yield* Layer.build(Layer.mergeAll(Relay.layerLoop, Worker.layer({ kind, handler })))
        yield* publish(kind, "a", 1)
        yield* eventually(Effect.map(dead(kind), (jobs) => jobs.length === 1))
        assert.strictEqual(attempts, 3)
        const [job] = yield* dead(kind)
        assert.strictEqual(job?.cause, "the mail server is down")

        mended = true
        assert.lengthOf(yield* repo.replay({ ids: [job?.id ?? 0n] }), 1)
        yield* eventually(isDone(kind, 1))
        assert.strictEqual(attempts, 4)
        assert.deepStrictEqual(yield* dead(kind), [])
        assert.lengthOf(yield* repo.replay({ ids: [job?.id ?? 0n] }), 0)
      }))

    it.effect("reports an outage of the database once for all jobs that it fails", () =>
      Effect.gen(function*() {
        const kind = probe("unlucky")
        const open = yield* OutageLog.OpenOutages
        let attempts = 0
        const handler = Effect.fnUntraced(function*() {
          if (attempts++ < 2) return yield* new SqlError.SqlError({ reason: away })
        })
        yield* Layer.build(Layer.mergeAll(Relay.layerLoop, Worker.layer({ kind, handler })))
        yield* publish(kind, "a", 1)
        yield* eventually(isDone(kind, 1))
        assert.strictEqual(open.get("database away")?.failures, 2)
      }).pipe(Effect.provideService(OutageLog.OpenOutages, new Map())))

    const inHand = Effect.fnUntraced(function*(kind: Probe, options: { readonly isLong: boolean }) {
      const scope = yield* Scope.make()
      const started = yield* Deferred.make<void>()
      const finish = yield* Deferred.make<void>()
      const handler = () => Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(finish))
      yield* Layer.buildWithScope(Worker.layer({ kind, handler, ...options }), scope)
      yield* publish(kind, "a", 1)
      yield* enqueue
      yield* Deferred.await(started)
      return { stop: Scope.close(scope, Exit.void), finish: Deferred.succeed(finish, undefined) }
    })

    it.effect("lets the job in hand finish when it stops", () =>
      Effect.gen(function*() {
        const kind = probe("finishing")
        const { finish, stop } = yield* inHand(kind, { isLong: false })
        const stopping = yield* Effect.forkChild(stop, { startImmediately: true })
        yield* finish
        yield* Fiber.join(stopping)
        assert.isTrue(yield* isDone(kind, 1))
      }))

    it.effect("returns a long job to the queue when it stops, and another worker does it", () =>
      Effect.gen(function*() {
        const kind = probe("returning")
        const { stop } = yield* inHand(kind, { isLong: true })
        yield* stop
        const queue = yield* Effect.flatMap(Queues, (queues) => queues.queue(kind.queue))
        assert.strictEqual(yield* Effect.promise(() => queue.getWaitingCount()), 1)
        yield* Layer.build(Worker.layer({ kind, handler: () => Effect.void }))
        yield* eventually(isDone(kind, 1))
      }))

    it.effect("returns a job that comes while it stops", () =>
      Effect.gen(function*() {
        const kind = probe("late")
        const scope = yield* Scope.make()
        const came = yield* Deferred.make<void>()
        const { promise, resolve } = Promise.withResolvers<void>()
        const queues = yield* Queues
        const late = Queues.of({
          ...queues,
          startWorker: (name, process, options) =>
            queues.startWorker(name, async (...job) => {
              Deferred.doneUnsafe(came, Exit.void)
              await promise
              return process(...job)
            }, options)
        })
        let isBegun = false
        const handler = () =>
          Effect.sync(() => {
            isBegun = true
          })
        const worker = Worker.layer({ kind, handler })
        yield* Layer.buildWithScope(worker, scope).pipe(Effect.provideService(Queues, late))
        yield* publish(kind, "a", 1)
        yield* enqueue
        yield* Deferred.await(came)
        const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
        // It has found no job in hand by now.
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        resolve()
        yield* Fiber.join(stopping)
        assert.isFalse(isBegun)
        const queue = yield* queues.queue(kind.queue)
        assert.strictEqual(yield* Effect.promise(() => queue.getWaitingCount()), 1)
      }))

    it.effect("does a scheduled job once however many workers there are", () =>
      Effect.gen(function*() {
        const kind: Probe = {
          ...probe("scheduled"),
          schedule: { payload: { subject: "all", n: 1 }, times: { cron: "* * * * * *" } }
        }
        const runs: Array<string> = []
        const worker = Layer.fresh(Worker.layer({
          kind,
          handler: (_, { id }) => Effect.sync(() => runs.push(id))
        }))
        yield* Effect.all([Layer.build(worker), Layer.build(worker), Layer.build(worker)])
        yield* eventually(Effect.sync(() => runs.length >= 3))
        assert.strictEqual(new Set(runs).size, runs.length)
      }))
  })
})

class Trouble extends Schema.TaggedError<Trouble>()("Trouble", { message: Schema.String }) {}
