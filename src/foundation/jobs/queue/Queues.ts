import { type IQueueBackend, type Job, type Processor, Queue, Worker, type WorkerOptions } from "bullmq"
import { Context, Effect, Layer, Option, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../config/AppConfig.ts"
import { socketPath } from "../../database/DataFolder.ts"
import { embedded, openPostgres } from "./PostgresStore.ts"
import { errorLogger, QueuesUnavailable, type Store, unavailable } from "./QueueStore.ts"
import { openRedis } from "./RedisStore.ts"

/** What BullMQ carries for a job; `at` is when its outbox row was written. */
export interface JobData {
  readonly subject: string
  readonly at: string | null
  readonly payload: unknown
}

export type JobQueue = Queue<JobData, void, string, JobData, void, string, IQueueBackend>
export type JobInQueue = Job<JobData, void>
export type JobWorker = Worker<JobData, void, string, IQueueBackend>

/** BullMQ's queues: on Redis when `REDIS_URL` is set, else in the database. Callers on both see the same. */
export class Queues extends Context.Service<Queues, {
  readonly store: "redis" | "postgres"
  /** The queue of this name, opened at the first call. */
  queue(name: string): Effect.Effect<JobQueue>
  /** A worker until the scope closes; closing waits for the jobs in hand. */
  work(
    name: string,
    process: Processor<JobData, void>,
    options: Omit<WorkerOptions, "connection">
  ): Effect.Effect<JobWorker, never, Scope.Scope>
  /** Fails at once, or after a few seconds, when the store does not answer. */
  readonly available: Effect.Effect<void, QueuesUnavailable>
}>()("slotkey/foundation/jobs/queue/Queues") {
  static readonly layer: Layer.Layer<Queues, QueuesUnavailable, AppConfig | SqlClient.SqlClient> = Layer.effect(
    Queues,
    Effect.gen(function*() {
      const { dataDir, database, redisUrl } = yield* AppConfig
      // Asked for so that the database is there before the queues and outlives them.
      yield* SqlClient.SqlClient
      if (Option.isSome(redisUrl)) return yield* make(yield* openRedis(redisUrl.value))
      return yield* make(
        yield* openPostgres(
          database._tag === "Server"
            ? { connectionString: Redacted.value(database.url), options: "-c search_path=bullmq" }
            : embedded(socketPath(dataDir))
        )
      )
    })
  )
}

const make = Effect.fnUntraced(function*({ factory, kind, ping }: Store) {
  const scope = yield* Effect.scope
  const logErrors = yield* errorLogger
  const queues = new Map<string, JobQueue>()

  const queue = Effect.fnUntraced(function*(name: string) {
    const known = queues.get(name)
    if (known !== undefined) return known
    const opened: JobQueue = new Queue(name, { connection }, factory)
    queues.set(name, opened)
    logErrors(name, opened)
    yield* Scope.addFinalizer(scope, closing(opened))
    return opened
  })

  const work = Effect.fnUntraced(function*(
    name: string,
    process: Processor<JobData, void>,
    options: Omit<WorkerOptions, "connection">
  ) {
    const start = () => {
      const worker: JobWorker = new Worker(name, process, { ...options, connection }, factory)
      logErrors(name, worker)
      return worker
    }
    return yield* Effect.acquireRelease(Effect.sync(start), closing)
  })

  const available = Effect.tryPromise({ try: ping, catch: unavailable }).pipe(
    Effect.timeoutOrElse({
      duration: "5 seconds",
      orElse: () => Effect.fail(new QueuesUnavailable({ message: `${kind} does not answer` }))
    })
  )

  return Queues.of({ store: kind, queue, work, available })
})

// Without its store a queue would wait for ever to say good-bye; jobs in hand are given to others when their lock ends.
const closing = (closable: { close(): Promise<void> }) =>
  Effect.promise(() =>
    Promise.race([closable.close(), new Promise<void>((resolve) => setTimeout(resolve, longestClose).unref())])
  )

const longestClose = 15_000

// The factories close over their connections; BullMQ asks for the option all the same.
const connection = {}
