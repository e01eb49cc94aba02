import { type BackendFactory, createRedisBackend } from "bullmq"
import { Effect, Redacted } from "effect"
import { Redis } from "ioredis"
import { errorLogger, type QueueStore } from "./QueueStore.ts"

export const openRedis = Effect.fnUntraced(function*(url: Redacted.Redacted) {
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
  // Adding a job fails soon while Redis is away; a worker waits for it to come back.
  const producer = yield* open({ maxRetriesPerRequest: 1 })
  const consumer = yield* open({ maxRetriesPerRequest: null })
  const factory: BackendFactory = (name, options, how) =>
    createRedisBackend(
      name,
      { ...options, connection: how?.withBlockingConnection === true ? consumer : producer },
      how
    )
  return { kind: "redis", factory, ping: () => producer.ping() } satisfies QueueStore
})
