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

/**
 * The check of the Redis that REDIS_URL names, the same of servers, workers and `slotkey doctor`; `trouble` is the status when
 * it is away. There is none without REDIS_URL.
 */
export const jobStoreCheck = Effect.fnUntraced(function*(
  trouble: Exclude<Status, "ok">
): Effect.fn.Return<Option.Option<Check<"jobs">>, never, AppConfig | Scope.Scope> {
  const config = yield* AppConfig
  if (Option.isNone(config.redisUrl)) return Option.none()
  const url = config.redisUrl.value

  const { Redis, ReplyError } = yield* Effect.promise(() => import("ioredis"))
  const client = yield* Effect.acquireRelease(
    Effect.sync(() =>
      new Redis(Redacted.value(url), {
        ...redisOptions(url, config, silenceMillis),
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

  // Where commands are restricted it may be refused or tell less; the answer counts as one of any kind.
  const memory = () =>
    client.info("memory").catch((error: unknown) => error instanceof ReplyError ? "" : Promise.reject(error))
  const probe = Effect.match(Effect.tryPromise(memory), {
    onFailure: (): Finding => ({ status: trouble, detail: `Redis is away, and jobs wait: ${reason}` }),
    onSuccess: evictionFinding
  })
  return Option.some({ name: "jobs", probe, otherwise: trouble })
})

// Shorter than the limit of a probe, which would only say that there was no answer.
const silenceMillis = Duration.toMillis(probeLimit) * 2 / 3

// Jobs and their locks would vanish one by one without an error. Many a cache has such a policy, and it does harm from the day
// on which the memory has a limit, or is full.
const evictionFinding = (memory: string): Finding => {
  const policy = /^maxmemory_policy:([\w-]+)/m.exec(memory)?.[1] ?? "noeviction"
  return policy === "noeviction" ? { status: "ok", detail: "Redis answers." } : {
    status: "degraded",
    detail: `Redis deletes jobs when its memory is full: its maxmemory-policy is ${policy}.`,
    remedy: "Set maxmemory-policy noeviction on it."
  }
}
