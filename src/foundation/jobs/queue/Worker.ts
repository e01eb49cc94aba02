import { Cause, DateTime, Duration, Effect, Exit, Fiber, Layer, Option, Predicate, Schema } from "effect"
import { type Brand, Brands } from "../../../domain/brand/Brand.ts"
import { messageOf } from "../../../domain/Cause.ts"
import { AppConfig } from "../../config/AppConfig.ts"
import { outageOf } from "../../database/Outages.ts"
import { StatementTimeout } from "../../database/StatementTimeout.ts"
import * as OutageLog from "../../log/OutageLog.ts"
import { parentOf } from "../../tracing/TraceContext.ts"
import { brandKey, type JobKind } from "../Job.ts"
import { outboxId, OutboxRepo } from "../outbox/OutboxRepo.ts"
import * as JobMetrics from "./JobMetrics.ts"
import type { JobInQueue } from "./JobQueue.ts"
import { PermanentFailure } from "./PermanentFailure.ts"
import { Queues } from "./Queues.ts"
import { messagingAttributes } from "./Relay.ts"
import * as Schedules from "./Schedules.ts"

/** A handler's view of its job, besides the payload. */
export interface JobContext {
  /**
   * The same at every attempt, whichever worker makes it, and no other job's: a database that was restored to an
   * earlier state gives the numbers of its rows again, so the time of publication is part of it.
   */
  readonly id: string
  /** Row that published the job; a scheduled job has none. */
  readonly outboxId: Option.Option<bigint>
  /** When the job was published; for a scheduled job, the time at which the attempt began. */
  readonly at: DateTime.Utc
  /** Brand whose page the job follows from, for its mails; the first one if it follows from none. */
  readonly brand: Brand
  /** Shows figures on the dashboard. */
  readonly progress: (figures: Readonly<Record<string, number>>) => Effect.Effect<void>
}

interface Options<A, I, E, R> {
  readonly kind: JobKind<A, I>
  /** May run twice for one job, even at the same time, and must then have the effect of one run. */
  readonly handler: (payload: A, job: JobContext) => Effect.Effect<void, E, R>
  readonly concurrency?: number
  /** Gives each statement `SWEEP_TIMEOUT`; a worker that stops returns such a job at once, and does not finish it. */
  readonly isLong?: boolean
}

/** A kind of job with the layer that does it, and what it `does`, for docs/jobs.md. */
export const make = <A, I, E, R>({ does, ...options }: Options<A, I, E, R> & { readonly does: string }) => ({
  kind: options.kind,
  does,
  layer: layer(options)
})

/**
 * Frame of every worker: does the jobs of one kind for as long as the layer lives, those that are scheduled once
 * however many workers there are. Releasing the layer lets the jobs in hand finish, or returns them to the queue. A job
 * whose payload does not decode, that fails with `PermanentFailure` or that fails too often becomes a dead letter.
 */
export const layer = <A, I, E, R>(
  options: Options<A, I, E, R>
): Layer.Layer<never, never, R | AppConfig | OutboxRepo | Queues> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { handler, isLong = false, kind } = options
    const { jobBackoff, jobLock, sweepTimeout } = yield* AppConfig
    const outbox = yield* OutboxRepo
    const queues = yield* Queues
    const brands = yield* Brands
    const context = yield* Effect.context<R>()
    const runFork = Effect.runForkWith(context)
    const runPromise = Effect.runPromiseWith(context)
    const decode = Schema.decodeUnknownEffect(kind.payload)
    const inHand = new Set<Fiber.Fiber<AttemptResult>>()
    let isStopping = false

    const handle = Effect.fnUntraced(function*(job: JobInQueue, id: string) {
      const row = outboxId(id)
      let at = yield* DateTime.now
      let unique = id
      if (Option.isSome(row)) {
        const published = yield* outbox.find(row.value)
        // It was done before, or belongs to another database.
        if (Option.isNone(published) || !published.value.open) return skipped
        at = published.value.createdAt
        if (DateTime.formatIso(at) !== job.data.at) return skipped
        unique = `${id}-${DateTime.toEpochMillis(at)}`
      }
      const payload = yield* Effect.mapError(
        decode(job.data.payload),
        ({ message }) => new PermanentFailure({ message })
      )
      yield* handler(payload, {
        id: unique,
        outboxId: row,
        at,
        brand: brands.named(brandOf(job.data.payload)),
        progress: (figures) => Effect.ignore(queues.ask(() => job.updateProgress(figures)))
      }).pipe(Effect.provideService(StatementTimeout, isLong ? sweepTimeout : undefined))
      if (Option.isSome(row)) yield* outbox.markDone(row.value)
      return done
    })

    const recordFailure = Effect.fnUntraced(function*(job: JobInQueue, id: string, cause: Cause.Cause<unknown>) {
      const error = Cause.squash(cause)
      const message = messageOf(error)
      const isPermanent = error instanceof PermanentFailure || job.attemptsMade + 1 >= (job.opts.attempts ?? 1)
      const outage = outageOf(cause)
      if (isPermanent) yield* Effect.logError("Job put aside", cause)
      else if (outage !== undefined) yield* OutageLog.report(outage)
      else yield* Effect.logWarning("Job failed, will be tried again", cause)
      const row = outboxId(id)
      if (isPermanent && Option.isSome(row)) yield* outbox.deadLetter(row.value, message)
      return isPermanent ? { outcome: "dead", message } as const : { outcome: "again", message } as const
    })

    const attempt = Effect.fnUntraced(function*(job: JobInQueue, id: string) {
      const [took, result] = yield* Effect.timed(
        handle(job, id).pipe(
          Effect.withSpan(`process ${kind.queue}`, {
            kind: "consumer",
            parent: parentOf(job.data.traceparent),
            attributes: messagingAttributes("process", kind.queue, id)
          }),
          Effect.catchCause((cause) => recordFailure(job, id, cause))
        )
      )
      yield* JobMetrics.recordAttempt(kind.queue, result.outcome, took)
      if (result.outcome === "done") {
        // Scheduled jobs would fill the log.
        const log = Option.isSome(outboxId(id)) ? Effect.logInfo : Effect.logDebug
        yield* log("Job done", { millis: Math.round(Duration.toMillis(took)) })
      }
      return result
    })

    const putBack = async (job: JobInQueue, token: string | undefined) => {
      await runPromise(JobMetrics.recordAttempt(kind.queue, "returned", Duration.zero))
      await job.moveToWait(token)
      const { WaitingError } = await bullmq()
      return new WaitingError()
    }

    const process = async (job: JobInQueue, token?: string): Promise<void> => {
      // The store gave it out just before it learned that nobody asks any more.
      if (isStopping) throw await putBack(job, token)
      const id = job.id ?? ""
      const fiber = runFork(
        attempt(job, id).pipe(
          Effect.annotateLogs({ queue: kind.queue, job: id, subject: job.data.subject, attempt: job.attemptsMade + 1 })
        )
      )
      inHand.add(fiber)
      const exit = await runPromise(Fiber.await(fiber))
      inHand.delete(fiber)
      if (Exit.isFailure(exit)) {
        throw Cause.hasInterruptsOnly(exit.cause) ? await putBack(job, token) : Cause.squash(exit.cause)
      }
      if (exit.value.outcome === "dead") {
        const { UnrecoverableError } = await bullmq()
        throw new UnrecoverableError(exit.value.message)
      }
      if (exit.value.outcome === "again") throw new Error(exit.value.message)
    }

    const lock = Duration.toMillis(jobLock)
    const worker = yield* queues.startWorker(kind.queue, process, {
      concurrency: options.concurrency ?? 1,
      drainDelay: 5,
      lockDuration: lock,
      stalledInterval: lock,
      // A job whose worker is killed is tried again; one that always kills its worker fails in the end.
      maxStalledCount: 10,
      runRetryDelay: 1_000,
      settings: {
        backoffStrategy: (attempts) => Math.min(Duration.toMillis(jobBackoff) * 2 ** (attempts - 1), maxBackoffMillis)
      }
    })
    // The worker itself never closes while its store is away, so the jobs are waited for, and not the worker.
    const settled = () => Promise.all([...inHand].map((fiber) => runPromise(Fiber.await(fiber))))
    yield* Effect.addFinalizer(() =>
      Effect.promise(async () => {
        isStopping = true
        void worker.close()
        if (!isLong) await Promise.race([settled(), delay(stopGraceMillis)])
        for (const fiber of inHand) fiber.interruptUnsafe()
      })
    )
    if (kind.schedule === undefined) return
    const keepScheduled = yield* Schedules.KeepScheduled
    yield* keepScheduled(kind.make(kind.schedule.payload), kind.schedule.times)
  }))

const brandOf = (payload: unknown): string | undefined => {
  const name = Predicate.hasProperty(payload, brandKey) ? payload[brandKey] : undefined
  return typeof name === "string" ? name : undefined
}

// The queues have loaded it, but for those of a test.
const bullmq = () => import("bullmq")

type AttemptResult =
  | { readonly outcome: "done" | "skipped" }
  | { readonly outcome: "again" | "dead"; readonly message: string }

const done: AttemptResult = { outcome: "done" }
const skipped: AttemptResult = { outcome: "skipped" }

const stopGraceMillis = 10_000
const maxBackoffMillis = 3_600_000

const delay = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis).unref())
