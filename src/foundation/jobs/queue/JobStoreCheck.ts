import { Duration, Effect, Layer, Option, Redacted, type Scope } from "effect"
import { AppConfig } from "../../config/AppConfig.ts"
import { type Check, type Finding, probeLimit, Readiness, type Status } from "../../operator/Readiness.ts"
import { redisOptions } from "./RedisOptions.ts"

/**
 * The check `jobs` of a server that does no jobs itself. It publishes them to the database, so a Redis that is away is
 * nothing that its requests notice: mails wait. Without REDIS_URL the jobs are in the database, which has a check.
 */
export const JobStoreCheck: Layer.Layer<never, never, AppConfig | Readiness> = Layer.effectDiscard(
  Effect.gen(function*() {
    const readiness = yield* Readiness
    const check = yield* jobStoreCheck("degraded")
    if (Option.isSome(check)) yield* readiness.add(check.value)
  })
)

/** The check of the Redis that REDIS_URL names; `trouble` is the status when it is away. */
export const jobStoreCheck = Effect.fnUntraced(function*(
  trouble: Exclude<Status, "ok">
): Effect.fn.Return<Option.Option<Check<"jobs">>, never, AppConfig | Scope.Scope> {
  const config = yield* AppConfig
  if (Option.isNone(config.redisUrl)) return Option.none()
  const url = config.redisUrl.value

  const { Redis } = yield* Effect.promise(() => import("ioredis"))
  const client = yield* Effect.acquireRelease(
    Effect.sync(() =>
      new Redis(Redacted.value(url), {
        ...redisOptions(url, config, Duration.toMillis(probeLimit)),
        lazyConnect: true,
        maxRetriesPerRequest: 0
      })
    ),
    (client) => Effect.sync(() => client.disconnect())
  )
  // A call that fails says that there were no more attempts; why is in an event. A connection that ends without an error
  // has none.
  let reason = "no connection"
  client.on("ready", () => {
    reason = "the connection was closed"
  })
  client.on("error", ({ message }) => {
    reason = message
  })

  const probe = Effect.match(Effect.tryPromise(() => client.ping()), {
    onFailure: (): Finding => ({ status: trouble, detail: `Redis is away, and jobs wait: ${reason}` }),
    onSuccess: (): Finding => ({ status: "ok", detail: "Redis answers." })
  })
  return Option.some({ name: "jobs", probe, otherwise: trouble })
})
