import { type BackendFactory, isPgPool, runMigrations } from "bullmq"
import { Context, Duration, Effect } from "effect"
import { Socket } from "node:net"
import pg from "pg"
import { pollingBackend } from "./PollingBackend.ts"
import { type QueueStore, unavailable } from "./QueueStore.ts"

/** The interval at which a worker looks for jobs in PostgreSQL, where nothing wakes it. */
export const PollInterval = Context.Reference<Duration.Duration>(
  "slotkey/foundation/jobs/queue/PostgresStore/PollInterval",
  {
    defaultValue: () => Duration.seconds(1)
  }
)

export const openPostgres = Effect.fnUntraced(function*(config: pg.PoolConfig) {
  const interval = Duration.toMillis(yield* PollInterval)
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new pg.Pool({ ...config, max: 5, keepAlive: true, application_name: "slotkey-jobs" })),
    (pool) => Effect.promise(() => pool.end())
  )
  // Each queue and worker adds a listener that logs errors. Without one, a lost connection would end the process.
  pool.setMaxListeners(0)
  pool.on("error", () => {})
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
  return { kind: "postgres", factory, ping: () => pool.query("SELECT 1") } satisfies QueueStore
})

// BullMQ describes a pool with other overloads of `on` than the types of `pg` have.
const asPgPool = (pool: unknown) => {
  if (!isPgPool(pool)) throw new TypeError("BullMQ does not take this pool")
  return pool
}

/** The connection to the embedded database, on its socket. */
export const embeddedPool = (socket: string): pg.PoolConfig => ({
  user: "postgres",
  database: "postgres",
  ssl: false,
  stream: () => new SocketAt(socket)
})

/** A socket that connects to the given path, whatever `pg` asks for: `pg` takes absolute paths only. */
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
