import { Clock, Context, DateTime, Effect, Layer } from "effect"
import { type Mail, Mailer } from "../../workers/Mailer.ts"
import { type Event, ReviewWebhook } from "../../workers/ReviewWebhook.ts"
import { AllKinds } from "../../workers/Workers.ts"
import type { PendingJob } from "../foundation/jobs/Job.ts"
import { jobId, OutboxRepo } from "../foundation/jobs/outbox/OutboxRepo.ts"
import type { JobInQueue, ProcessJob } from "../foundation/jobs/queue/JobQueue.ts"
import { Queues } from "../foundation/jobs/queue/Queues.ts"
import { KeepScheduled } from "../foundation/jobs/queue/Schedules.ts"

/** A job that was published and is not done. */
export interface TestJob {
  readonly queue: string
  readonly subject: string
  readonly payload: unknown
}

/** Jobs of a test server, which are done when the test says so, by the workers of the real one. */
export class TestJobs extends Context.Service<TestJobs, {
  /** Jobs that wait, in the order in which they were published. */
  readonly waiting: Effect.Effect<ReadonlyArray<TestJob>>
  /** Does the jobs that wait, and those that follow from them. Dies with the reason of the first that fails. */
  readonly run: Effect.Effect<void>
  /** Does the scheduled job of this queue as if it was due, or those of all queues, and then the jobs that wait. */
  runScheduled(queue?: string): Effect.Effect<void>
  /** Mails that were sent, after the jobs that wait were done. */
  readonly mails: Effect.Effect<ReadonlyArray<Mail>>
  /** Events for the webhook of reviews, likewise, with or without `REVIEW_WEBHOOK_URL`. */
  readonly webhooks: Effect.Effect<ReadonlyArray<Event>>
  readonly forget: Effect.Effect<void>
}>()("slotkey/testing/TestJobs") {
  static readonly layer = Layer.unwrap(Effect.sync(() => {
    const processes = new Map<string, ProcessJob>()
    const scheduled = new Map<string, PendingJob>()
    const mails: Array<Mail> = []
    const events: Array<Event> = []

    const made = Layer.effect(
      TestJobs,
      Effect.gen(function*() {
        const outbox = yield* OutboxRepo
        // Jobs are due by the clock of the server, which a test may have put forward.
        const next = Effect.provideService(outbox.next(100), Clock.Clock, yield* Clock.Clock)

        const attempt = (queue: string, id: string, data: JobInQueue["data"]) =>
          Effect.promise(async () => processes.get(queue)?.(jobInQueue(id, data)))

        const run = Effect.gen(function*() {
          for (let jobs = yield* next; jobs.length > 0; jobs = yield* next) {
            for (const { createdAt, id, payload, queue, subject } of jobs) {
              yield* attempt(queue, jobId(id), { subject, at: DateTime.formatIso(createdAt), payload })
            }
          }
        })

        const runScheduled = Effect.fnUntraced(function*(name?: string) {
          const due = [...scheduled.values()].filter(({ queue }) => name === undefined || queue === name)
          if (due.length === 0) {
            return yield* Effect.die(new Error(`No job is scheduled in ${name}: ${[...scheduled.keys()].join(", ")}`))
          }
          for (const { payload, queue, subject } of due) {
            yield* attempt(queue, "scheduled", { subject, at: null, payload })
          }
          yield* run
        })

        return TestJobs.of({
          waiting: Effect.map(next, (jobs) => jobs.map(({ payload, queue, subject }) => ({ queue, subject, payload }))),
          run,
          runScheduled,
          mails: Effect.map(run, () => [...mails]),
          webhooks: Effect.map(run, () => [...events]),
          forget: Effect.sync(() => {
            mails.length = 0
            events.length = 0
          })
        })
      })
    )
    return Layer.mergeAll(made, AllKinds).pipe(
      Layer.provide([
        queuesOf(processes),
        Layer.succeed(KeepScheduled, (job) => Effect.sync(() => void scheduled.set(job.queue, job))),
        OutboxRepo.layer,
        Layer.succeed(Mailer, { send: (mail) => Effect.sync(() => void mails.push(mail)) }),
        Layer.succeed(ReviewWebhook, { send: (event) => Effect.sync(() => void events.push(event)) })
      ])
    )
  }))
}

/** Queues that keep nothing: workers announce here how they do a job. */
const queuesOf = (processes: Map<string, ProcessJob>) =>
  Layer.succeed(Queues, {
    store: "postgres",
    queue: () => Effect.never,
    startWorker: (name, process) =>
      Effect.sync(() => {
        processes.set(name, process)
        return { close: async () => {} }
      }),
    ask: (call) => Effect.promise(call),
    available: Effect.never
  })

/** A job at its only attempt: in a test a failure is to be seen, and not tried again. */
const jobInQueue = (id: string, data: JobInQueue["data"]): JobInQueue => ({
  id,
  data,
  attemptsMade: 0,
  opts: { attempts: 1 },
  moveToWait: async () => 0,
  updateProgress: async () => {}
})
