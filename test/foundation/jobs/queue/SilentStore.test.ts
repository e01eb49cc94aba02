// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import { parse } from "../../../../src/foundation/config/DatabaseAddress.ts"
import { DatabaseHosts } from "../../../../src/foundation/database/hosts/DatabaseHosts.ts"
import { define } from "../../../../src/foundation/jobs/Job.ts"
import { Outbox } from "../../../../src/foundation/jobs/outbox/Outbox.ts"
import { Queues } from "../../../../src/foundation/jobs/queue/Queues.ts"
import { blockSeconds } from "../../../../src/foundation/jobs/queue/RedisStore.ts"
import { Relay } from "../../../../src/foundation/jobs/queue/Relay.ts"
import * as Worker from "../../../../src/foundation/jobs/queue/Worker.ts"
import { eventually } from "../../../support/Eventually.ts"
import * as TcpProxy from "../../../support/TcpProxy.ts"
import { layer, stores } from "../../../support/TestJobs.ts"
import * as TestPostgres from "../../../support/TestPostgres.ts"
import * as TestRedis from "../../../support/TestRedis.ts"

const Probe = define({
  queue: "probes",
  payload: Schema.Struct({ n: Schema.Int }),
  subject: ({ n }) => `subject:${n}`
})

/** Settings of a process that reaches its job store through a proxy, and everything else directly. */
const behindProxy = Effect.fnUntraced(function*(store: "postgres" | "redis") {
  const postgres = yield* TestPostgres.make
  const direct = {
    DATABASE_URL: postgres.url,
    JOB_BACKOFF: "50 millis",
    JOB_LOCK: "1 second",
    QUEUE_TIMEOUT: "1 second"
  }
  const url = new URL(store === "redis" ? (yield* TestRedis.make).url : postgres.url)
  const port = Number(url.port)
  const proxy = yield* TcpProxy.make(port)
  url.port = String(proxy.port)
  const queues = store === "redis"
    ? Layer.provide(Queues.layer, Layer.fresh(AppConfig.layerTest({ ...direct, REDIS_URL: url.href })))
    : Layer.provide(Queues.layer, DatabaseHosts.layer(Option.getOrThrow(parse(url.href))))
  const process = layer(direct, queues)
  return { port, process, proxy }
})

describe.each(stores)("With the queues in $store", ({ skip, store }) => {
  const reason = skip ?? TestPostgres.missing
  if (reason !== undefined) return it.skip(reason)

  for (const fault of ["silence", "loseAnswers"] as const) {
    it.live(`workers and relay go on when connections to it fall silent (${fault})`, () =>
      Effect.gen(function*() {
        const { process, proxy } = yield* behindProxy(store)
        yield* Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const outbox = yield* Outbox
          const handled = new Set<number>()
          yield* Layer.build(Layer.mergeAll(
            Relay.layerLoop,
            Worker.layer({ kind: Probe, concurrency: 2, handler: ({ n }) => Effect.sync(() => handled.add(n)) })
          ))
          const done = (n: number) => eventually(Effect.sync(() => handled.has(n)))
          yield* outbox.publish(Probe.make({ n: 1 }))
          yield* done(1)

          yield* proxy[fault]
          yield* outbox.publish(Probe.make({ n: 2 }))
          yield* done(2)
          yield* eventually(
            Effect.map(sql`SELECT 1 FROM outbox WHERE done_at IS NULL`, (open) => open.length === 0)
          )
        }).pipe(Effect.scoped, Effect.provide(process))
      }), 120_000)
  }
})

describe("With the queues in redis", () => {
  const reason = TestRedis.missing ?? TestPostgres.missing
  if (reason !== undefined) return it.skip(reason)

  it.live(
    "a worker waits for a job no longer than an answer may be overdue, even when a delayed one is due later",
    () =>
      Effect.gen(function*() {
        const { process } = yield* behindProxy("redis")
        yield* Effect.gen(function*() {
          const queues = yield* Queues
          const worker = yield* queues.startWorker(Probe.queue, async () => {}, {})
          assert.propertyVal(worker, "maximumBlockTimeout", blockSeconds)
        }).pipe(Effect.scoped, Effect.provide(process))
      }),
    120_000
  )

  it.live(
    "a queue that is opened while it falls silent and goes away works when it is back",
    () =>
      Effect.gen(function*() {
        const { port, process, proxy } = yield* behindProxy("redis")
        yield* Effect.gen(function*() {
          const queues = yield* Queues
          yield* eventually(Effect.isSuccess(queues.available))
          yield* proxy.silence
          yield* proxy.lead(1)
          const queue = yield* queues.queue(Probe.queue)
          const add = Effect.tryPromise(() =>
            queue.add(Probe.queue, { subject: "subject:0", at: null, payload: { n: 1 } })
          )
          yield* Effect.flip(add)
          yield* proxy.lead(port)
          yield* eventually(Effect.isSuccess(add))
        }).pipe(Effect.scoped, Effect.provide(process))
      }),
    120_000
  )
})
