import { type IQueueBackend, type Job, Queue, Worker, type WorkerOptions } from "bullmq"
import { Context, type Duration, Effect, Layer, Option, Scope } from "effect"
import { AppConfig } from "../../config/AppConfig.ts"
import { DatabaseHosts } from "../../database/DatabaseHosts.ts"
import * as JobTables from "./JobTables.ts"
import { onEmbedded, onServer, openPostgres } from "./PostgresStore.ts"
import { errorLogger, type QueueStore, QueuesUnavailable, unavailable } from "./QueueStore.ts"
import { openRedis } from "./RedisStore.ts"

/** A job as BullMQ carries it; `at` is the time at which its outbox row was written, `null` for a scheduled job. */
export interface JobData {
  readonly subject: string
  readonly at: string | null
  readonly payload: unknown
  /** The span that the job continues; none for a job that was published without one. */
  readonly traceparent?: string
}

export type JobQueue = Queue<JobData, void, string, JobData, void, string, IQueueBackend>
/** What a worker needs of its job. */
export type JobInQueue = Pick<
  Job<JobData, void>,
  "attemptsMade" | "data" | "id" | "moveToWait" | "opts" | "updateProgress"
>
/** Does a job, or throws for another attempt. */
export type ProcessJob = (job: JobInQueue, token?: string) => Promise<void>
export type JobWorker = Worker<JobData, void, string, IQueueBackend>

/**
 * BullMQ's queues: on Redis when `REDIS_URL` is set, else in the database; callers cannot tell the difference. The
 * relay adds jobs, workers take them, and the operator's view reads them. What is lost here is enqueued again from the
 * outbox.
 */
export class Queues extends Context.Service<Queues, {
  readonly store: "redis" | "postgres"
  /** The queue with this name, opened by the first call. */
  queue(name: string): Effect.Effect<JobQueue>
  /** Starts a worker that lives as long as the scope; closing it waits for the jobs in hand. */
  startWorker(
    name: string,
    process: ProcessJob,
    options: Omit<WorkerOptions, "connection">
  ): Effect.Effect<Pick<JobWorker, "close">, never, Scope.Scope>
  /** Waits for a call to the store, such as a method of a queue, for `QUEUE_TIMEOUT`. */
  ask<A>(call: () => Promise<A>): Effect.Effect<A, QueuesUnavailable>
  /** Fails when the store does not answer. */
  readonly available: Effect.Effect<void, QueuesUnavailable>
}>()("slotkey/foundation/jobs/queue/Queues") {
  static readonly layer: Layer.Layer<Queues, QueuesUnavailable, AppConfig | DatabaseHosts> = Layer.effect(
    Queues,
    Effect.gen(function*() {
      const config = yield* AppConfig
      const { database, migrate, queueTimeout, redisUrl } = config
      // The database must be there before the queues, and outlive them.
      const hosts = yield* DatabaseHosts
      yield* Option.isSome(migrate) ? JobTables.check : JobTables.migrate
      const store = Option.isSome(redisUrl)
        ? yield* openRedis(redisUrl.value, config)
        : yield* openPostgres(hosts, database._tag === "Server" ? onServer(queueTimeout) : onEmbedded)
      return yield* makeQueues(store, queueTimeout)
    })
  )
}

const makeQueues = Effect.fnUntraced(function*({ factory, kind, ping }: QueueStore, timeout: Duration.Duration) {
  const scope = yield* Effect.scope
  const logErrors = yield* errorLogger
  const queues = new Map<string, JobQueue>()

  const queue = Effect.fnUntraced(function*(name: string) {
    const known = queues.get(name)
    if (known !== undefined) return known
    const opened: JobQueue = new Queue(name, { connection }, factory)
    queues.set(name, opened)
    logErrors(name, opened)
    yield* Scope.addFinalizer(scope, close(opened))
    return opened
  })

  const startWorker = Effect.fnUntraced(function*(
    name: string,
    process: ProcessJob,
    options: Omit<WorkerOptions, "connection">
  ) {
    const start = () => {
      const worker: JobWorker = new Worker(name, process, { ...options, connection }, factory)
      logErrors(name, worker)
      return worker
    }
    return yield* Effect.acquireRelease(Effect.sync(start), close)
  })

  const ask = <A>(call: () => Promise<A>) =>
    Effect.tryPromise({ try: call, catch: unavailable }).pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => Effect.fail(new QueuesUnavailable({ message: `${kind} does not answer` }))
      })
    )

  return Queues.of({ store: kind, queue, startWorker, ask, available: Effect.asVoid(ask(ping)) })
})

// Without its store a queue or worker would never close. Other workers get its jobs when their locks expire.
const close = (closable: { close(): Promise<void> }) =>
  Effect.promise(() =>
    Promise.race([closable.close(), new Promise<void>((resolve) => setTimeout(resolve, closeTimeoutMillis).unref())])
  )

const closeTimeoutMillis = 3_000

// BullMQ requires the option, but the factories bring their own connections.
const connection = {}
