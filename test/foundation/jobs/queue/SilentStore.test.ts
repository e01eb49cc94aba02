// @effect-diagnostics strictEffectProvide:off
import { describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import { parse } from "../../../../src/foundation/config/DatabaseAddress.ts"
import { DatabaseHosts } from "../../../../src/foundation/database/DatabaseHosts.ts"
import { define } from "../../../../src/foundation/jobs/Job.ts"
import { Outbox } from "../../../../src/foundation/jobs/outbox/Outbox.ts"
import { Queues } from "../../../../src/foundation/jobs/queue/Queues.ts"
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

/** The settings of a process that reaches its job store through a proxy, and everything else directly. */
const behindProxy = Effect.fnUntraced(function*(store: "postgres" | "redis") {
  const postgres = yield* TestPostgres.make
  const direct = {
    DATABASE_URL: postgres.url,
    JOB_BACKOFF: "50 millis",
    JOB_LOCK: "1 second",
    QUEUE_TIMEOUT: "1 second"
  }
  const url = new URL(store === "redis" ? (yield* TestRedis.make).url : postgres.url)
  const proxy = yield* TcpProxy.make(Number(url.port))
  url.port = String(proxy.port)
  const queues = store === "redis"
    ? Layer.provide(Queues.layer, Layer.fresh(AppConfig.layerTest({ ...direct, REDIS_URL: url.href })))
    : Layer.provide(Queues.layer, DatabaseHosts.layer(Option.getOrThrow(parse(url.href))))
  const process = layer(direct, queues)
  return { process, proxy, port: Number(url.port) }
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
