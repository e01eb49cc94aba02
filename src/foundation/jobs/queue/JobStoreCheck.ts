import { Duration, Effect, Layer, Option, Redacted } from "effect"
import type { Redis } from "ioredis"
import { messageOf } from "../../../domain/Cause.ts"
import { AppConfig } from "../../config/AppConfig.ts"
import { type Finding, probeLimit, Readiness } from "../../operator/Readiness.ts"
import { redisOptions } from "./RedisOptions.ts"

/**
 * The check `jobs` of a server that does no jobs itself. It publishes them to the database, so a Redis that is away is
 * nothing that its requests notice: mails wait. Without REDIS_URL the jobs are in the database, which has a check.
 */
export const JobStoreCheck: Layer.Layer<never, never, AppConfig | Readiness> = Layer.effectDiscard(
  Effect.gen(function*() {
    const config = yield* AppConfig
    const readiness = yield* Readiness
    if (Option.isNone(config.redisUrl)) return
    const url = config.redisUrl.value

    const client = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const { Redis } = await import("ioredis")
        const client = new Redis(Redacted.value(url), {
          ...redisOptions(url, config, Duration.toMillis(probeLimit)),
          lazyConnect: true,
          maxRetriesPerRequest: 0
        })
        // Without a listener the library writes each to the console; the check says what is wrong.
        client.on("error", () => {})
        return client
      }),
      (client) => Effect.sync(() => client.disconnect())
    )
    yield* readiness.add({ name: "jobs", probe: probe(client), otherwise: "degraded" })
  })
)

const probe = (client: Redis): Effect.Effect<Finding> =>
  Effect.match(Effect.tryPromise({ try: () => client.ping(), catch: messageOf }), {
    onFailure: (reason) => ({ status: "degraded", detail: `Redis does not answer, and jobs wait: ${reason}` }),
    onSuccess: () => ({ status: "ok", detail: "Redis answers." })
  })
