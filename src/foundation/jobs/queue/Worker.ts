import { UnrecoverableError, WaitingError } from "bullmq"
import { Cause, DateTime, Duration, Effect, Exit, Fiber, Layer, Option, Schema } from "effect"
import { messageOf } from "../../../domain/Cause.ts"
import { AppConfig } from "../../config/AppConfig.ts"
import type { JobKind } from "../Job.ts"
import { outboxId, OutboxRepo } from "../outbox/OutboxRepo.ts"
import * as JobMetrics from "./JobMetrics.ts"
import { PermanentFailure } from "./PermanentFailure.ts"
import { type JobInQueue, Queues } from "./Queues.ts"
import * as Schedules from "./Schedules.ts"

/** What a handler knows of its job besides the payload. */
export interface JobInHand {
  /** The same at every attempt, and whichever worker makes it. */
  readonly id: string
  /** The row that published the job; a scheduled one has none. */
  readonly outboxId: Option.Option<bigint>
  /** When it was published, or its attempt began. */
  readonly at: DateTime.Utc
  /** Shows figures on the dashboard. */
  readonly progress: (figures: Readonly<Record<string, number>>) => Effect.Effect<void>
}

export interface Options<A, I, E, R> {
  readonly kind: JobKind<A, I>
  /** May run twice for one job, even at the same time: its effect must be the same as that of one run. */
  readonly handler: (payload: A, job: JobInHand) => Effect.Effect<void, E, R>
  readonly concurrency?: number
  /** The job is done with this payload at these times, too: once, however many workers there are. */
  readonly schedule?: { readonly payload: A; readonly times: Schedules.Times }
  /** When the worker stops, jobs in hand return to the queue at once instead of being given time to finish. */
  readonly returnAtStop?: boolean
}

/**
 * Does the jobs of one kind for as long as the layer lives; releasing it lets the jobs in hand finish, or returns
 * them to the queue. A payload that does not decode, and a job that failed too often, is put aside with the cause.
 */
export const layer = <A, I, E, R>(
  options: Options<A, I, E, R>
): Layer.Layer<never, never, R | AppConfig | OutboxRepo | Queues> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { handler, kind, schedule } = options
    const { jobAttempts, jobBackoff, jobLock } = yield* AppConfig
    const outbox = yield* OutboxRepo
    const queues = yield* Queues
    const context = yield* Effect.context<R>()
    const runFork = Effect.runForkWith(context)
    const runPromise = Effect.runPromiseWith(context)
    const decode = Schema.decodeUnknownEffect(kind.payload)
    const inHand = new Set<Fiber.Fiber<Result>>()

    const attempt = Effect.fnUntraced(function*(job: JobInQueue, id: string) {
      const row = outboxId(id)
      let at = yield* DateTime.now
      if (Option.isSome(row)) {
        const published = yield* outbox.find(row.value)
        // A repeat of a job that was done, or a job of another database than this.
        if (Option.isNone(published) || !published.value.open) return skipped
        at = published.value.createdAt
        if (DateTime.formatIso(at) !== job.data.at) return skipped
      }
      const payload = yield* Effect.mapError(
        decode(job.data.payload),
        ({ message }) => new PermanentFailure({ message })
      )
      yield* handler(payload, {
        id,
        outboxId: row,
        at,
        progress: (figures) => Effect.ignore(Effect.tryPromise(() => job.updateProgress(figures)))
      })
      if (Option.isSome(row)) yield* outbox.finish(row.value)
      return done
    })

    const failed = Effect.fnUntraced(function*(job: JobInQueue, id: string, cause: Cause.Cause<unknown>) {
      const error = Cause.squash(cause)
      const message = messageOf(error)
      const isPermanent = error instanceof PermanentFailure || job.attemptsMade + 1 >= (job.opts.attempts ?? 1)
      yield* isPermanent
        ? Effect.logError("Job put aside", cause)
        : Effect.logWarning("Job failed, will be tried again", cause)
      const row = outboxId(id)
      if (isPermanent && Option.isSome(row)) yield* outbox.deadLetter(row.value, message)
      return isPermanent ? { outcome: "dead", message } as const : { outcome: "again", message } as const
    })

    const perform = Effect.fnUntraced(function*(job: JobInQueue, id: string) {
      const [took, result] = yield* Effect.timed(
        attempt(job, id).pipe(Effect.catchCause((cause) => failed(job, id, cause)))
      )
      yield* JobMetrics.record(kind.queue, result.outcome, took)
      if (result.outcome === "done") {
        // What runs by the clock would fill the log.
        const log = Option.isSome(outboxId(id)) ? Effect.logInfo : Effect.logDebug
        yield* log("Job done", { millis: Math.round(Duration.toMillis(took)) })
      }
      return result
    })

    const process = async (job: JobInQueue, token?: string): Promise<void> => {
      const id = job.id ?? ""
      const fiber = runFork(
        perform(job, id).pipe(
          Effect.annotateLogs({ queue: kind.queue, job: id, subject: job.data.subject, attempt: job.attemptsMade + 1 }),
          Effect.withSpan(`${kind.queue}.process`, { attributes: { job: id } })
        )
      )
      inHand.add(fiber)
      const exit = await runPromise(Fiber.await(fiber))
      inHand.delete(fiber)
      if (Exit.isFailure(exit)) {
        if (!Cause.hasInterruptsOnly(exit.cause)) throw Cause.squash(exit.cause)
        await runPromise(JobMetrics.record(kind.queue, "returned", Duration.zero))
        await job.moveToWait(token)
        throw new WaitingError()
      }
      if (exit.value.outcome === "dead") throw new UnrecoverableError(exit.value.message)
      if (exit.value.outcome === "again") throw new Error(exit.value.message)
    }

    const lock = Duration.toMillis(jobLock)
    const worker = yield* queues.work(kind.queue, process, {
      concurrency: options.concurrency ?? 1,
      drainDelay: 5,
      lockDuration: lock,
      stalledInterval: lock,
      // A worker may be killed over and over; what always kills it is put aside in the end.
      maxStalledCount: 10,
      runRetryDelay: 1_000,
      settings: {
        backoffStrategy: (attempts) => Math.min(Duration.toMillis(jobBackoff) * 2 ** (attempts - 1), longestBackoff)
      }
    })
    yield* Effect.addFinalizer(() =>
      Effect.promise(async () => {
        const closed = worker.close()
        if (options.returnAtStop !== true) await Promise.race([closed, delay(grace)])
        for (const fiber of inHand) fiber.interruptUnsafe()
      })
    )
    if (schedule !== undefined) yield* Schedules.keep(kind.make(schedule.payload), schedule.times, jobAttempts)
  }))

type Result =
  | { readonly outcome: "done" | "skipped" }
  | { readonly outcome: "again" | "dead"; readonly message: string }

const done: Result = { outcome: "done" }
const skipped: Result = { outcome: "skipped" }

const grace = 10_000
const longestBackoff = 3_600_000

const delay = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis).unref())
