import {
  type BackendFactory,
  createRedisBackend,
  type IQueueBackend,
  isPgPool,
  type Job,
  type Processor,
  Queue,
  runMigrations,
  Worker,
  type WorkerOptions
} from "bullmq"
import { Context, Duration, Effect, Layer, Option, Redacted, Schema, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { Redis } from "ioredis"
import { Socket } from "node:net"
import pg from "pg"
import { AppConfig } from "../AppConfig.ts"
import { socketPath } from "../database/DataFolder.ts"
import { pollingBackend } from "./PollingBackend.ts"

/** What BullMQ carries for a job; `at` is when its outbox row was written. */
export interface JobData {
  readonly subject: string
  readonly at: string | null
  readonly payload: unknown
}

export type JobQueue = Queue<JobData, void, string, JobData, void, string, IQueueBackend>
export type JobInQueue = Job<JobData, void>
export type JobWorker = Worker<JobData, void, string, IQueueBackend>

/** The queues cannot be reached now. */
export class QueuesUnavailable extends Schema.TaggedError<QueuesUnavailable>()("QueuesUnavailable", {
  message: Schema.String
}) {}

/** How often a worker looks for a job where nothing can wake it: with the queues in PostgreSQL. */
export const PollInterval = Context.Reference<Duration.Duration>("slotkey/jobs/PollInterval", {
  defaultValue: () => Duration.seconds(1)
})

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
}>()("slotkey/jobs/Queues") {
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
            : { ...embeddedUser, stream: () => new SocketAt(socketPath(dataDir)) }
        )
      )
    })
  )
}

interface Store {
  readonly kind: "redis" | "postgres"
  readonly factory: BackendFactory
  readonly ping: () => Promise<unknown>
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

const openRedis = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const logErrors = yield* errorLogger
  const open = (options: { readonly maxRetriesPerRequest: number | null }) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const client = new Redis(Redacted.value(url), { ...options, retryStrategy: (n) => Math.min(n * 100, 2_000) })
        logErrors("redis", client)
        return client
      }),
      (client) => Effect.sync(() => client.disconnect())
    )
  // Who adds a job wants to know soon that it cannot be done; a worker waits for Redis to come back.
  const producer = yield* open({ maxRetriesPerRequest: 1 })
  const consumer = yield* open({ maxRetriesPerRequest: null })
  const factory: BackendFactory = (name, options, how) =>
    createRedisBackend(
      name,
      { ...options, connection: how?.withBlockingConnection === true ? consumer : producer },
      how
    )
  return { kind: "redis", factory, ping: () => producer.ping() } satisfies Store
})

const openPostgres = Effect.fnUntraced(function*(config: pg.PoolConfig) {
  const interval = Duration.toMillis(yield* PollInterval)
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new pg.Pool({ ...config, max: 5, keepAlive: true, application_name: "slotkey-jobs" })),
    (pool) => Effect.promise(() => pool.end())
  )
  // Each queue and worker listens for its errors.
  pool.setMaxListeners(0)
  yield* Effect.tryPromise({
    try: async () => {
      const client = await pool.connect()
      try {
        await runMigrations(client)
      } finally {
        client.release()
      }
    },
    catch: unavailable
  })
  const backend = pollingBackend(interval)
  const factory: BackendFactory = (name, options) => backend(name, { ...options, connection: asPgPool(pool) })
  return { kind: "postgres", factory, ping: () => pool.query("SELECT 1") } satisfies Store
})

// The types of `pg` and BullMQ's own description of them differ in the overloads of `on`.
const asPgPool = (pool: unknown) => {
  if (!isPgPool(pool)) throw new TypeError("BullMQ does not take this pool")
  return pool
}

const embeddedUser = { user: "postgres", database: "postgres", ssl: false }

/** A socket that connects to one path, whatever `pg` asks for; `pg` takes absolute paths only. */
class SocketAt extends Socket {
  readonly #path: string

  constructor(path: string) {
    super()
    this.#path = path
  }

  override connect() {
    return super.connect(this.#path)
  }
}

const unavailable = (cause: unknown) =>
  new QueuesUnavailable({ message: cause instanceof Error ? cause.message : String(cause) })

/** Logs the connection errors of queues and workers; the same one at most every half a minute. */
const errorLogger = Effect.gen(function*() {
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const logged = new Map<string, number>()
  return (name: string, source: { on(event: "error", listener: (error: Error) => void): unknown }) => {
    source.on("error", ({ message }) => {
      const now = performance.now()
      if (now - (logged.get(message) ?? -Infinity) < 30_000) return
      logged.set(message, now)
      runFork(Effect.logWarning("A queue reports an error", { queue: name, error: message }))
    })
  }
})
