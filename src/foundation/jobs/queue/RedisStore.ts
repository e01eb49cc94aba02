import { type BackendFactory, createRedisBackend } from "bullmq"
import { Duration, Effect, Option, Redacted } from "effect"
import { Redis, type RedisOptions } from "ioredis"
import type { AppConfig } from "../../config/AppConfig.ts"
import { errorLogger, type QueueStore, silenceLimit } from "./QueueStore.ts"

/** The settings by which Redis is found. */
type Place = Pick<AppConfig["Service"], "queueTimeout" | "redisSentinelPassword" | "redisSentinels">

export const openRedis = Effect.fnUntraced(function*(url: Redacted.Redacted, place: Place) {
  const logErrors = yield* errorLogger
  const silence = silenceLimit(place.queueTimeout)
  const open = (options: Pick<RedisOptions, "commandTimeout" | "maxRetriesPerRequest">) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const client = new WorkerRedis(Redacted.value(url), {
          ...options,
          ...sentinelOptions(Redacted.value(url), place, silence),
          connectTimeout: silence,
          socketTimeout: silence,
          disconnectTimeout: 500,
          keepAlive: 10_000,
          retryStrategy: (n) => Math.min(n * 100, 2_000)
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
    const isWorker = how?.withBlockingConnection === true
    // BullMQ's check of the version, once it has failed, is never repeated. That of a worker waits for Redis instead.
    const backend = createRedisBackend(
      name,
      { ...options, connection: isWorker ? consumer : producer, skipVersionCheck: !isWorker },
      how
    )
    return Object.defineProperty(backend, "maximumBlockTimeout", { value: blockSeconds })
  }
  return { kind: "redis", factory, ping: () => producer.ping() } satisfies QueueStore
})

// The rest of the URL, with the password and the number of the database, is that of the master.
const sentinelOptions = (url: string, { redisSentinelPassword, redisSentinels }: Place, silence: number) => {
  if (Option.isNone(redisSentinels)) return {}
  const { hostname, protocol } = new URL(url)
  return {
    sentinels: redisSentinels.value.map(({ host, port }) => ({ host, port })),
    name: decodeURIComponent(hostname),
    sentinelCommandTimeout: silence,
    // A server that has become a replica is left for the new master.
    reconnectOnError: ({ message }: Error) => message.startsWith("READONLY") ? reconnectAndResend : false,
    ...(protocol === "rediss:" ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
    ...(Option.isSome(redisSentinelPassword) ? { sentinelPassword: Redacted.value(redisSentinelPassword.value) } : {})
  }
}

const reconnectAndResend = 2

/** The time for which Redis may hold a worker's call until there is a job. */
export const blockSeconds = 5

/**
 * A connection whose copies are for calls that wait for a job. BullMQ makes one of each worker's; they are silent for as
 * long as there is none.
 */
class WorkerRedis extends Redis {
  override duplicate(override?: Partial<RedisOptions>) {
    const { socketTimeout = 0 } = this.options
    return super.duplicate({ ...override, socketTimeout: blockSeconds * 1_000 + socketTimeout })
  }
}
