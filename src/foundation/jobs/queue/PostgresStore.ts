import { type BackendFactory, isPgPool, runMigrations } from "bullmq"
import { Context, Duration, Effect, Redacted } from "effect"
import { Socket } from "node:net"
import pg from "pg"
import { pollingBackend } from "./PollingBackend.ts"
import { type QueueStore, silenceLimit, unavailable } from "./QueueStore.ts"

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
    Effect.sync(() => new pg.Pool({ ...config, max: 5, application_name: "slotkey-jobs" })),
    (pool) => Effect.promise(() => pool.end())
  )
  // Each queue and worker adds a listener that logs errors. Without one, a lost connection would end the process.
  pool.setMaxListeners(0)
  pool.on("error", () => {})
  yield* Effect.tryPromise({ try: () => migrate(config), catch: unavailable })
  const backend = pollingBackend(interval)
  const factory: BackendFactory = (name, options) => backend(name, { ...options, connection: asPgPool(pool) })
  return { kind: "postgres", factory, ping: () => pool.query("SELECT 1") } satisfies QueueStore
})

// On a connection of its own: a migration may take longer than a call.
const migrate = async (config: pg.PoolConfig): Promise<void> => {
  const client = new pg.Client({
    ...config,
    query_timeout: migrationLimitMillis,
    statement_timeout: migrationLimitMillis,
    application_name: "slotkey-jobs"
  })
  client.on("error", () => {})
  try {
    await client.connect()
    await runMigrations(client)
  } finally {
    await client.end()
  }
}

const migrationLimitMillis = 60_000

// BullMQ describes a pool with other overloads of `on` than the types of `pg` have.
const asPgPool = (pool: unknown) => {
  if (!isPgPool(pool)) throw new TypeError("BullMQ does not take this pool")
  return pool
}

/**
 * The connections to a server. `pg` closes one whose statement takes too long, so that a silent one is not used again; the
 * server ends the statement itself, which may wait for a lock.
 */
export const serverPool = (url: Redacted.Redacted, timeout: Duration.Duration): pg.PoolConfig => ({
  connectionString: Redacted.value(url),
  options: "-c search_path=bullmq",
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: silenceLimit(timeout),
  query_timeout: silenceLimit(timeout),
  statement_timeout: silenceLimit(timeout)
})

/** The connections to the embedded database, on its socket. It is in this process: it can be slow, but not away. */
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
