import { type BackendFactory, Queue, Worker, type WorkerOptions } from "bullmq"
import { type Duration, Effect, Option, Scope } from "effect"
import { AppConfig } from "../../config/AppConfig.ts"
import { DatabaseHosts } from "../../database/hosts/DatabaseHosts.ts"
import type { JobQueue, JobWorker, ProcessJob } from "./JobQueue.ts"
import * as JobTables from "./JobTables.ts"
import { onEmbedded, onServer, openPostgres } from "./PostgresStore.ts"
import { errorLogger, type QueueStore, QueuesUnavailable, unavailable } from "./QueueStore.ts"
import { openRedis } from "./RedisStore.ts"

/** Opens the store of the settings, for as long as the scope lasts. */
export const open = Effect.gen(function*() {
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
      const worker: JobWorker = new Worker(name, process, { ...options, connection }, patient(factory))
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

  return { store: kind, queue, startWorker, ask, available: Effect.asVoid(ask(ping)) }
})

/**
 * Backend of a worker that waits for a second when its call for a job was answered with an error, such as a missing
 * right. BullMQ would ask again at once, and the process would do nothing else any more.
 */
const patient = (factory: BackendFactory): BackendFactory => (name, options, how) => {
  const backend = factory(name, options, how)
  const { moveToActive, waitForJob } = backend
  backend.moveToActive = (...call) => failingLate(moveToActive.apply(backend, call))
  backend.waitForJob = (...call) => failingLate(waitForJob.apply(backend, call))
  return backend
}

const failingLate = async <A>(answer: Promise<A>): Promise<A> => {
  try {
    return await answer
  } catch (error) {
    await new Promise<void>((resolve) => setTimeout(resolve, refusalPauseMillis).unref())
    throw error
  }
}

const refusalPauseMillis = 1_000

// Without its store a queue or worker would never close. Other workers get its jobs when their locks expire.
const close = (closable: { close(): Promise<void> }) =>
  Effect.promise(() =>
    Promise.race([closable.close(), new Promise<void>((resolve) => setTimeout(resolve, closeTimeoutMillis).unref())])
  )

const closeTimeoutMillis = 3_000

// BullMQ requires the option, but the factories bring their own connections.
const connection = {}
