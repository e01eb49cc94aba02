import type { JobsOptions } from "bullmq"
import { Array, Clock, Context, DateTime, Duration, Effect, Layer, Schedule } from "effect"
import { AppConfig, type Settings } from "../../config/AppConfig.ts"
import { DatabaseClock } from "../../database/DatabaseClock.ts"
import { StatementTimeout } from "../../database/StatementTimeout.ts"
import { isTraced, parentOf, traceparentOf } from "../../tracing/TraceContext.ts"
import { jobId, type OpenJob, OutboxRepo } from "../outbox/OutboxRepo.ts"
import type { JobData, JobQueue } from "./JobQueue.ts"
import { Queues } from "./Queues.ts"
import { logFailure, type QueuesUnavailable } from "./QueueStore.ts"

/**
 * Moves jobs from the outbox to their queues, at least once; a job keeps its id, so a repeat adds nothing. Every
 * process with workers runs one.
 */
export class Relay extends Context.Service<Relay, {
  /** Enqueues the jobs that are next and returns their number. Any number of relays may do it at the same time. */
  readonly enqueueNext: Effect.Effect<number, QueuesUnavailable>
  /**
   * Looks for open jobs that were not seen in their queues lately, and returns their number: what a queue has lost is
   * enqueued again, what failed there becomes a dead letter.
   */
  readonly reconcile: Effect.Effect<number, QueuesUnavailable>
  /** Time since `enqueueNext` last succeeded, or since the start. */
  readonly sinceLastPass: Effect.Effect<Duration.Duration>
}>()("slotkey/foundation/jobs/queue/Relay") {
  static readonly layer: Layer.Layer<Relay, never, AppConfig | DatabaseClock | OutboxRepo | Queues> = Layer.effect(
    Relay,
    Effect.gen(function*() {
      const clock = yield* DatabaseClock
      const config = yield* AppConfig
      const outbox = yield* OutboxRepo
      const queues = yield* Queues

      const enqueue = Effect.fnUntraced(function*(name: string, jobs: ReadonlyArray<OpenJob>) {
        const queue = yield* queues.queue(name)
        // BullMQ would ignore a job whose id it knows.
        const outdated = yield* queues.ask(() => Promise.all(jobs.map((job) => isOutdated(queue, job))))
        const removed = jobs.filter((_, i) => outdated[i])
        yield* queues.ask(() => Promise.all(removed.map((job) => queue.remove(jobId(job.id)))))
        const data = yield* Effect.forEach(jobs, (job) => tracedJobData(job))
        yield* queues.ask(() =>
          queue.addBulk(Array.zipWith(jobs, data, (job, data) => ({
            name,
            data,
            opts: { ...jobOptions(config), jobId: jobId(job.id) }
          })))
        )
        yield* outbox.markSeen(jobs.map(({ id }) => id))
      }, Effect.scoped)

      // Not of the wall clock, which may be set.
      let lastPass = yield* Clock.monotonicTimeNanos
      const sinceLastPass = Effect.map(Clock.monotonicTimeNanos, (now) => Duration.nanos(now - lastPass))

      const moveNext = Effect.gen(function*() {
        const jobs = yield* outbox.next(batchSize)
        if (jobs.length === 0) return 0
        yield* queues.available
        yield* Effect.forEach(
          Object.entries(Array.groupBy(jobs, ({ queue }) => queue)),
          ([name, jobs]) => enqueue(name, jobs)
        )
        return jobs.length
      })

      const enqueueNext = Effect.tap(moveNext, () =>
        Effect.map(Clock.monotonicTimeNanos, (now) => {
          lastPass = now
        }))

      const reconcileJob = Effect.fnUntraced(function*(queue: JobQueue, job: OpenJob) {
        const found = yield* queues.ask(() => queue.getJob(jobId(job.id)))
        if (found === undefined || (yield* queues.ask(() => isOutdated(queue, job)))) {
          return yield* enqueue(job.queue, [job])
        }
        if (yield* queues.ask(() => found.isFailed())) return yield* outbox.deadLetter(job.id, found.failedReason)
        yield* outbox.markSeen([job.id])
      })

      const reconcile = Effect.gen(function*() {
        const jobs = yield* outbox.notSeenSince(DateTime.subtractDuration(yield* clock.now, unseenFor), batchSize)
        if (jobs.length === 0) return 0
        yield* queues.available
        yield* Effect.forEach(
          jobs,
          (job) => Effect.flatMap(queues.queue(job.queue), (queue) => reconcileJob(queue, job))
        )
        return jobs.length
      })

      return Relay.of({
        // It asks all the time, so it is the first to find that the connections of its process have fallen silent.
        enqueueNext: Effect.provideService(enqueueNext, StatementTimeout, config.tokenTimeout),
        reconcile,
        sinceLastPass
      })
    })
  )

  /** Runs the relay for as long as the layer lives. */
  static readonly layerLoop: Layer.Layer<never, never, Relay> = Layer.effectDiscard(Effect.gen(function*() {
    const relay = yield* Relay
    const forever = (work: Effect.Effect<number, QueuesUnavailable>, pause: Duration.Duration) =>
      work.pipe(
        // After a full batch there may be more.
        Effect.repeat({ while: (jobs) => jobs === batchSize }),
        Effect.catchCause((cause) =>
          Effect.andThen(logFailure("The outbox relay has to wait", cause), Effect.sleep("1 second"))
        ),
        Effect.repeat(Schedule.spaced(pause)),
        Effect.forkScoped
      )
    yield* forever(relay.enqueueNext, Duration.millis(500))
    yield* forever(relay.reconcile, Duration.seconds(15))
  }))
}

/** BullMQ's options of every job, published or scheduled. */
export const jobOptions = (
  { deadJobLifetime, jobAttempts, jobLifetime }: Pick<Settings, "deadJobLifetime" | "jobAttempts" | "jobLifetime">
): JobsOptions => ({
  attempts: jobAttempts,
  backoff: { type: "doubling" },
  removeOnComplete: { age: Duration.toSeconds(jobLifetime), count: 1_000 },
  removeOnFail: { age: Duration.toSeconds(deadJobLifetime) }
})

/**
 * Tells whether the queue has an older job with this id to replace: one that is replayed, or one from before the
 * database was put back to an earlier state, whose row had the same id or whose effect is gone. One that is being done
 * stays.
 */
const isOutdated = async (queue: JobQueue, job: OpenJob): Promise<boolean> => {
  const found = await queue.getJob(jobId(job.id))
  if (found === undefined) return false
  const state = await found.getState()
  if (state === "active") return false
  return job.replayedAt !== null || state === "completed" || found.data.at !== jobData(job).at
}

const batchSize = 100

// A job that has not been seen in its queue for this long is looked for.
const unseenFor = Duration.seconds(30)

const jobData = ({ createdAt, payload, subject }: OpenJob): JobData => ({
  subject,
  at: DateTime.formatIso(createdAt),
  payload
})

/** Same with the span in which the job is enqueued, which lasts as long as the scope. */
const tracedJobData = Effect.fnUntraced(function*(job: OpenJob) {
  const data = jobData(job)
  if (job.traceparent === null) return data
  if (!(yield* isTraced)) return { ...data, traceparent: job.traceparent }
  const span = yield* Effect.makeSpanScoped(`send ${job.queue}`, {
    kind: "producer",
    parent: parentOf(job.traceparent),
    attributes: messagingAttributes("send", job.queue, jobId(job.id))
  })
  return { ...data, traceparent: traceparentOf(span) }
})

/** Attributes of a job's spans, by the names of OpenTelemetry's semantic conventions. */
export const messagingAttributes = (operation: "process" | "send", queue: string, job: string) => ({
  "messaging.system": "bullmq",
  "messaging.operation.name": operation,
  "messaging.destination.name": queue,
  "messaging.message.id": job
})
