import type { JobsOptions } from "bullmq"
import { Array, Context, DateTime, Duration, Effect, Layer, Schedule } from "effect"
import { AppConfig } from "../../config/AppConfig.ts"
import { jobId, type OpenJob, OutboxRepo } from "../outbox/OutboxRepo.ts"
import { type JobData, type JobQueue, Queues } from "./Queues.ts"
import { QueuesUnavailable, unavailable } from "./QueueStore.ts"

/** Moves jobs from the outbox to their queues, at least once; a job keeps its id, so a repeat adds nothing. */
export class Relay extends Context.Service<Relay, {
  /** Enqueues what is next and tells how many jobs that were. Any number of relays may do it at the same time. */
  readonly move: Effect.Effect<number, QueuesUnavailable>
  /** Enqueues again what its queue has lost, and puts aside what failed there; tells how many jobs that were. */
  readonly recover: Effect.Effect<number, QueuesUnavailable>
}>()("slotkey/foundation/jobs/queue/Relay") {
  static readonly layer: Layer.Layer<Relay, never, AppConfig | OutboxRepo | Queues> = Layer.effect(
    Relay,
    Effect.gen(function*() {
      const config = yield* AppConfig
      const outbox = yield* OutboxRepo
      const queues = yield* Queues

      const enqueue = Effect.fnUntraced(function*(name: string, jobs: ReadonlyArray<OpenJob>) {
        const queue = yield* queues.queue(name)
        const replayed = jobs.filter((job) => job.replayedAt !== null)
        yield* attempt(() => Promise.all(replayed.map((job) => queue.remove(jobId(job.id)))))
        yield* attempt(() =>
          queue.addBulk(jobs.map((job) => ({
            name,
            data: data(job),
            opts: { ...jobOptions(config.jobAttempts), jobId: jobId(job.id) }
          })))
        )
        yield* outbox.seen(jobs.map(({ id }) => id))
      })

      const move = Effect.gen(function*() {
        const jobs = yield* outbox.next(batch)
        if (jobs.length === 0) return 0
        yield* queues.available
        yield* Effect.forEach(
          Object.entries(Array.groupBy(jobs, ({ queue }) => queue)),
          ([name, jobs]) => enqueue(name, jobs)
        )
        return jobs.length
      })

      const judge = Effect.fnUntraced(function*(queue: JobQueue, job: OpenJob) {
        const found = yield* attempt(() => queue.getJob(jobId(job.id)))
        if (found === undefined) return yield* enqueue(job.queue, [job])
        const state = yield* attempt(() => found.getState())
        // It belongs to an outbox from before, or was finished without its effect: a database was put back.
        const stale = found.data.at !== data(job).at || state === "completed"
        if (stale && state !== "active") {
          yield* attempt(() => queue.remove(jobId(job.id)))
          return yield* enqueue(job.queue, [job])
        }
        if (state === "failed") return yield* outbox.deadLetter(job.id, found.failedReason)
        yield* outbox.seen([job.id])
      })

      const recover = Effect.gen(function*() {
        const jobs = yield* outbox.notSeenSince(DateTime.subtractDuration(yield* DateTime.now, patience), batch)
        if (jobs.length === 0) return 0
        yield* queues.available
        yield* Effect.forEach(jobs, (job) => Effect.flatMap(queues.queue(job.queue), (queue) => judge(queue, job)))
        return jobs.length
      })

      return Relay.of({ move, recover })
    })
  )

  /** A relay that works for as long as the layer lives. */
  static readonly layerLoop: Layer.Layer<never, never, Relay> = Layer.effectDiscard(Effect.gen(function*() {
    const relay = yield* Relay
    const forever = (work: Effect.Effect<number, QueuesUnavailable>, pause: Duration.Duration) =>
      work.pipe(
        // A full batch means that more waits.
        Effect.repeat({ while: (moved) => moved === batch }),
        Effect.catchCause((cause) =>
          Effect.andThen(Effect.logWarning("The outbox relay has to wait", cause), Effect.sleep("3 seconds"))
        ),
        Effect.repeat(Schedule.spaced(pause)),
        Effect.forkScoped
      )
    yield* forever(relay.move, Duration.millis(500))
    yield* forever(relay.recover, Duration.seconds(15))
  }))
}

/** What every job gets, whoever adds it. */
export const jobOptions = (attempts: number): JobsOptions => ({
  attempts,
  backoff: { type: "doubling" },
  removeOnComplete: { age: 86_400, count: 1_000 },
  removeOnFail: { age: 30 * 86_400 }
})

const batch = 100

// A job that was not seen in its queue for so long is looked for.
const patience = Duration.seconds(30)

export const data = ({ createdAt, payload, subject }: OpenJob): JobData => ({
  subject,
  at: DateTime.formatIso(createdAt),
  payload
})

const attempt = <A>(call: () => Promise<A>): Effect.Effect<A, QueuesUnavailable> =>
  Effect.tryPromise({ try: call, catch: unavailable }).pipe(Effect.timeoutOrElse({
    duration: "10 seconds",
    orElse: () => Effect.fail(new QueuesUnavailable({ message: "The queues do not answer" }))
  }))
