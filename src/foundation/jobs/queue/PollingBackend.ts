import { PostgresConnection, PostgresQueueBackend } from "bullmq"
import type { BackendFactory, PostgresConnectionOptions } from "bullmq"
import { EventEmitter } from "node:events"

/**
 * BullMQ's PostgreSQL backend without LISTEN: workers ask for jobs at an interval, and at once when this process adds
 * some. On PGlite all connections share one session, so a notification reaches only the last one that listened, and a
 * connection pooler loses notifications, too.
 */
export const pollingBackend = (
  intervalMillis: number
): BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> => {
  const added = new EventEmitter<Record<string, []>>().setMaxListeners(0)
  return (name, options, how) => {
    const backend = new PollingBackend(new ReadyConnection(options.connection), name, options, intervalMillis, added)
    if (how?.withBlockingConnection === true) added.on(name, backend.lookAgain)
    return backend
  }
}

/** A connection of a pool whose schema is ready: BullMQ's own check, once it has failed, is never repeated. */
class ReadyConnection extends PostgresConnection {
  override async waitUntilReady() {}
}

class PollingBackend extends PostgresQueueBackend {
  readonly #intervalMillis: number
  readonly #added: EventEmitter<Record<string, []>>
  #disconnected = false
  /** Jobs were added since the worker last waited. */
  #hasAdded = false
  #wake: (() => void) | undefined

  constructor(
    connection: PostgresConnection,
    name: string,
    options: ConstructorParameters<typeof PostgresQueueBackend>[2],
    intervalMillis: number,
    added: EventEmitter<Record<string, []>>
  ) {
    super(connection, name, options)
    this.#intervalMillis = intervalMillis
    this.#added = added
  }

  override async addJobs(...args: Parameters<PostgresQueueBackend["addJobs"]>) {
    const ids = await super.addJobs(...args)
    this.#added.emit(this.queueName)
    return ids
  }

  override async addJobScheduler(...args: Parameters<PostgresQueueBackend["addJobScheduler"]>) {
    const scheduled = await super.addJobScheduler(...args)
    this.#added.emit(this.queueName)
    return scheduled
  }

  override get maximumBlockTimeout() {
    return this.#intervalMillis / 1000
  }

  // `null` makes the worker look for a job.
  override async waitForJob(blockTimeoutSeconds: number): Promise<null> {
    if (this.#disconnected || this.closing !== undefined) return null
    if (!this.#hasAdded) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(blockTimeoutSeconds * 1000, this.#intervalMillis))
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#wake = undefined
    }
    this.#hasAdded = false
    return null
  }

  override async disconnectBlocking() {
    this.#disconnected = true
    this.#wake?.()
  }

  override async reconnectBlocking() {
    this.#disconnected = false
  }

  /** Lets the worker ask for a job at once, or as soon as it has done the one in hand. */
  readonly lookAgain = () => {
    this.#hasAdded = true
    this.#wake?.()
  }
}
