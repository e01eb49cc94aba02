import { Duration, Effect, identity, Layer, Option, Redacted } from "effect"
import { messageOf } from "../../../domain/Cause.ts"
import { AppConfig } from "../../config/AppConfig.ts"
import {
  type Check,
  degraded,
  type Finding,
  finding,
  ok,
  probeLimit,
  Readiness,
  type Status
} from "../../operator/Readiness.ts"
import { redisOptions } from "./RedisOptions.ts"

/**
 * Check `jobs` of a server that does no jobs itself. It publishes them to the database, so a Redis that is away is
 * nothing that its requests notice: mails wait. Without REDIS_URL the jobs are in the database, which has a check.
 */
export const JobStoreCheck = Layer.suspend(() => Readiness.adding(jobStoreCheck("degraded")))

/**
 * Check of the Redis that REDIS_URL names, the same of servers, workers and `slotkey doctor`; `trouble` is the status
 * when it is away, or takes no jobs. There is none without REDIS_URL.
 */
export const jobStoreCheck = Effect.fnUntraced(function*(
  trouble: Exclude<Status, "ok">
): Effect.fn.Return<ReadonlyArray<Check<"jobs">>, never, AppConfig> {
  const config = yield* AppConfig
  if (Option.isNone(config.redisUrl)) return []
  const url = config.redisUrl.value
  const { Redis, ReplyError } = yield* Effect.promise(() => import("ioredis"))

  // A connection that is open knows no other password and no other server behind the name: each probe has its own.
  const open = Effect.sync(() => {
    const client = new Redis(Redacted.value(url), {
      ...redisOptions(url, config, silenceMillis),
      retryStrategy: () => null,
      sentinelRetryStrategy: () => null,
      reconnectOnError: () => false
    })
    // Calls say that there is no connection; why is in an event. A connection that ends without an error has none.
    const reasons = ["the connection was closed"]
    client.on("error", ({ message }) => reasons.unshift(message))
    return { client, reasons }
  })
  const probe = Effect.acquireUseRelease(
    open,
    ({ client, reasons }) =>
      Effect.tryPromise({
        // The write has no effect, as there is no such key; but a replica, or a Redis without room, refuses it.
        try: () => Promise.all([client.info("memory").catch(unlessPermitted), client.set("bull:readiness", "", "XX")]),
        catch: (error): Finding =>
          error instanceof ReplyError ? refused(messageOf(error), trouble) : away(reasons[0] ?? "", trouble)
      }),
    ({ client }) => Effect.sync(() => client.disconnect())
  )
  return [{
    name: "jobs",
    probe: Effect.match(probe, { onFailure: identity, onSuccess: ([memory]) => evictionFinding(memory) }),
    otherwise: trouble
  }]
})

/** INFO is in `@dangerous`. Where a user may not ask, nobody knows what Redis does when its memory is full. */
const unlessPermitted = (error: unknown) => isNotPermitted(messageOf(error)) ? "" : Promise.reject(error)

// Shorter than the limit of a probe, which would only say that there was no answer.
const silenceMillis = Duration.toMillis(probeLimit) * 2 / 3

const away = (reason: string, status: Status) => finding(status, `Redis is away, and jobs wait: ${reason}`)

/** Answer of a Redis that is there and takes no jobs; the kind of an error is its first word. */
const refused = (error: string, status: Status) =>
  finding(
    status,
    `Redis refuses us, and jobs wait: ${error}`,
    isNotPermitted(error)
      ? "Give the user in REDIS_URL the rights in docs/operations/install.md."
      : /^(?:WRONGPASS|NOAUTH) /.test(error)
      ? "Check the user and the password in REDIS_URL."
      : undefined
  )

// A command that was renamed, as was usual before there were users, is unknown.
const isNotPermitted = (error: string): boolean => /^(?:NOPERM|ERR unknown command) /.test(error)

// Jobs and their locks would vanish one by one without an error. Many a cache has such a policy, and it does harm from
// the day on which the memory has a limit, or is full.
const evictionFinding = (memory: string): Finding => {
  const policy = /^maxmemory_policy:([\w-]+)/m.exec(memory)?.[1] ?? "noeviction"
  return policy === "noeviction" ? ok("Redis answers.") : degraded(
    `Redis deletes jobs when its memory is full: its maxmemory-policy is ${policy}.`,
    "Set maxmemory-policy noeviction on it."
  )
}
