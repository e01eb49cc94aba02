// @effect-diagnostics strictEffectProvide:off
import { Context, Duration, Effect, Layer, Redacted, References } from "effect"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import type { DatabaseHosts } from "../../src/foundation/database/hosts/DatabaseHosts.ts"
import { Outbox } from "../../src/foundation/jobs/outbox/Outbox.ts"
import { OutboxRepo } from "../../src/foundation/jobs/outbox/OutboxRepo.ts"
import { PollInterval } from "../../src/foundation/jobs/queue/PostgresStore.ts"
import { Queues } from "../../src/foundation/jobs/queue/Queues.ts"
import type { QueuesUnavailable } from "../../src/foundation/jobs/queue/QueueStore.ts"
import { Relay } from "../../src/foundation/jobs/queue/Relay.ts"
import * as EmbeddedPool from "./EmbeddedPool.ts"
import * as TestDatabase from "./TestDatabase.ts"
import * as TestRedis from "./TestRedis.ts"

/** Job stores that the suites run on, each with the reason to skip it, if there is one. */
export const stores = [
  { store: "postgres", skip: undefined },
  { store: "redis", skip: TestRedis.missing }
] as const
export type Store = (typeof stores)[number]["store"]

/** Settings of a process on a new database and, for `redis`, a new Redis; both end when the scope closes. */
export const environment = Effect.fnUntraced(function*(store: Store, more: Readonly<Record<string, string>> = {}) {
  const url = yield* TestDatabase.temporaryServerUrl
  const redis = store === "redis" ? yield* TestRedis.make : undefined
  const env: Record<string, string> = {
    ...(url === undefined ? { DATA_DIR: yield* EmbeddedPool.folder } : { DATABASE_URL: Redacted.value(url) }),
    ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
    JOB_BACKOFF: "10 millis",
    // A machine that stands still would lose it, and another worker does the job a second time.
    JOB_LOCK: "5 minutes",
    ...more
  }
  return { env, redis }
})

/** Settings, database, outbox, queues and relay of a process. */
export const layer = (
  env: Readonly<Record<string, string>>,
  queues: Layer.Layer<Queues, QueuesUnavailable, AppConfig | DatabaseHosts> = Queues.layer
) =>
  Relay.layer.pipe(
    Layer.provideMerge([Outbox.layer, OutboxRepo.layer, queues]),
    Layer.provideMerge(Database.layerBeside),
    Layer.provideMerge(AppConfig.layerTest(env)),
    Layer.provide(Layer.succeed(PollInterval, Duration.millis(100))),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None")),
    Layer.orDie
  )

/** Redis server of a process, if it uses one. */
export class Redis
  extends Context.Service<Redis, TestRedis.TestRedis | undefined>()("slotkey/test/support/TestJobs/Redis")
{}

export const layerOn = (store: Store, more: Readonly<Record<string, string>> = {}) =>
  Layer.unwrap(
    Effect.map(environment(store, more), ({ env, redis }) => Layer.mergeAll(layer(env), Layer.succeed(Redis, redis)))
  )
