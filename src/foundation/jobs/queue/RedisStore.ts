import { type BackendFactory, createRedisBackend, RedisConnection } from "bullmq"
import { Duration, Effect, Redacted } from "effect"
import { Redis, type RedisOptions } from "ioredis"
import { errorLogger, type QueueStore, silenceLimit } from "./QueueStore.ts"
import { type Place, redisOptions } from "./RedisOptions.ts"

export const openRedis = Effect.fnUntraced(function*(url: Redacted.Redacted, place: Place) {
  const logErrors = yield* errorLogger
  const silence = silenceLimit(place.queueTimeout)
  const open = (options: Pick<RedisOptions, "commandTimeout" | "maxRetriesPerRequest">) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const client = new WorkerRedis(Redacted.value(url), {
          ...options,
          ...redisOptions(url, place, silence)
        })
        logErrors("redis", client)
        return client
      }),
      (client) => Effect.sync(() => client.disconnect())
    )
  // Adding a job fails soon while Redis is away; a worker waits for it to come back.
  const producer = yield* open({ maxRetriesPerRequest: 1, commandTimeout: Duration.toMillis(place.queueTimeout) })
  const consumer = yield* open({ maxRetriesPerRequest: null })
  const factory: BackendFactory = (name, options, how) => {
    const connection = how?.withBlockingConnection === true ? consumer : producer
    // BullMQ's check of the version needs INFO, which is in `@dangerous`, and once it has failed it is never repeated.
    const backend = createRedisBackend(name, { ...options, connection, skipVersionCheck: true }, how)
    return Object.defineProperty(backend, "maximumBlockTimeout", { value: blockSeconds })
  }
  return { kind: "redis", factory, ping: () => producer.ping() } satisfies QueueStore
})

// Version for which BullMQ takes a server that it does not ask: the oldest one of docs/operations/install.md.
RedisConnection.minimumVersion = RedisConnection.recommendedMinimumVersion

/** Time for which Redis may hold a worker's call until there is a job. */
export const blockSeconds = 5

/**
 * A connection whose copies are for calls that wait for a job. BullMQ makes one of each worker's; they are silent for
 * as long as there is none.
 */
class WorkerRedis extends Redis {
  override duplicate(override?: Partial<RedisOptions>) {
    const { socketTimeout = 0 } = this.options
    return super.duplicate({ ...override, socketTimeout: blockSeconds * 1_000 + socketTimeout })
  }

  // Each of the calls that a replica has refused asks for another connection, and would listen for the end of this one.
  override disconnect(reconnect = false) {
    if (!reconnect || this.stream?.writableEnded !== true) super.disconnect(reconnect)
  }
}
