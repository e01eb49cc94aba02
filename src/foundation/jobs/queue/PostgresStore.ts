import { type BackendFactory, isPgPool } from "bullmq"
import { Context, Duration, Effect, Redacted } from "effect"
import { Socket } from "node:net"
import pg from "pg"
import type { DatabaseHosts } from "../../database/hosts/DatabaseHosts.ts"
import { CommitsWait } from "../../database/hosts/WaitingCommits.ts"
import { isolation } from "../../database/PostgresClient.ts"
import { pollingBackend } from "./PollingBackend.ts"
import { type QueueStore, silenceLimit } from "./QueueStore.ts"

/** Interval at which a worker looks for jobs in PostgreSQL, where nothing wakes it. */
export const PollInterval = Context.Reference<Duration.Duration>(
  "slotkey/foundation/jobs/queue/PostgresStore/PollInterval",
  {
    defaultValue: () => Duration.seconds(1)
  }
)

export const openPostgres = Effect.fnUntraced(function*(
  hosts: DatabaseHosts["Service"],
  config: pg.PoolConfig
) {
  const interval = Duration.toMillis(yield* PollInterval)
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new pg.Pool({ ...config, Client: clientAt(hosts, config), max: 5 })),
    (pool) => Effect.promise(() => pool.end())
  )
  // Each queue and worker adds a listener that logs errors. Without one, a lost connection would end the process.
  pool.setMaxListeners(0)
  pool.on("error", () => {})
  const backend = pollingBackend(interval)
  const factory: BackendFactory = (name, options) => backend(name, { ...options, connection: asPgPool(pool) })
  return { kind: "postgres", factory, ping: () => pool.query(writeNothing) } satisfies QueueStore
})

// It changes no row, and fails where jobs cannot be written: without the right to, or on a standby.
const writeNothing = "UPDATE job SET name = name WHERE false"

// A pool keeps its settings forever; only its clients can go where the database is by now.
const clientAt = (hosts: DatabaseHosts["Service"], config: pg.ClientConfig) =>
  class extends pg.Client {
    constructor() {
      // A call that waits for its commit costs its connection here, and the server keeps the session.
      hosts.commits.suspect()
      super(hosts.commits.areWaiting() ? { ...config, stream: () => new RefusedSocket() } : settingsAt(hosts, config))
    }
  }

/** Socket of a connection that is not made. */
class RefusedSocket extends Socket {
  constructor() {
    super()
    this.destroy(new CommitsWait("commits of earlier calls do not come back"))
  }

  override connect() {
    return this
  }
}

/** Settings of a connection that is opened now. */
export const settingsAt = (hosts: DatabaseHosts["Service"], config: pg.ClientConfig): pg.ClientConfig => ({
  ...config,
  connectionString: Redacted.value(hosts.url()),
  stream: hosts.socket,
  application_name: "slotkey-jobs"
})

// BullMQ describes a pool with other overloads of `on` than the types of `pg` have.
const asPgPool = (pool: unknown) => {
  if (!isPgPool(pool)) throw new TypeError("BullMQ does not take this pool")
  return pool
}

/**
 * Settings of connections to a server. `pg` closes one whose statement takes too long, so that a silent one is not used
 * again; the server ends the statement itself, which may wait for a lock.
 */
export const onServer = (timeout: Duration.Duration): pg.PoolConfig => ({
  options: `-c search_path=bullmq -c default_transaction_isolation=${isolation.replace(" ", "\\ ")}`,
  connectionTimeoutMillis: silenceLimit(timeout),
  query_timeout: silenceLimit(timeout),
  statement_timeout: silenceLimit(timeout)
})

/** Limits of connections to the embedded database. It is in this process: it can be slow, but not away. */
export const onEmbedded: pg.PoolConfig = { ssl: false }
