import { PostgresConnection, PostgresQueueBackend } from "bullmq"
import type { BackendFactory, PostgresConnectionOptions } from "bullmq"

/**
 * BullMQ's PostgreSQL backend without LISTEN: workers ask for jobs at an interval. On PGlite all connections share one
 * session, so a notification reaches only the last one that listened, and a connection pooler loses notifications, too.
 */
export const pollingBackend =
  (intervalMillis: number): BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> => (name, options) =>
    new PollingBackend(new ReadyConnection(options.connection), name, options, intervalMillis)

/** A connection of a pool whose schema is ready: BullMQ's own check, once it has failed, is never repeated. */
class ReadyConnection extends PostgresConnection {
  override async waitUntilReady() {}
}

class PollingBackend extends PostgresQueueBackend {
  readonly #intervalMillis: number
  #disconnected = false
  #wake: (() => void) | undefined

  constructor(
    connection: PostgresConnection,
    name: string,
    options: ConstructorParameters<typeof PostgresQueueBackend>[2],
    intervalMillis: number
  ) {
    super(connection, name, options)
    this.#intervalMillis = intervalMillis
  }

  override get maximumBlockTimeout() {
    return this.#intervalMillis / 1000
  }

  // `null` makes the worker look for a job.
  override async waitForJob(blockTimeoutSeconds: number): Promise<null> {
    if (this.#disconnected || this.closing !== undefined) return null
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(blockTimeoutSeconds * 1000, this.#intervalMillis))
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = undefined
    return null
  }

  override async disconnectBlocking() {
    this.#disconnected = true
    this.#wake?.()
  }

  override async reconnectBlocking() {
    this.#disconnected = false
  }
}
