// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, References, Schema } from "effect"
import { HttpServer } from "effect/http"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import { define } from "../../src/foundation/jobs/Job.ts"
import { Outbox } from "../../src/foundation/jobs/outbox/Outbox.ts"
import { Relay } from "../../src/foundation/jobs/queue/Relay.ts"
import * as Worker from "../../src/foundation/jobs/queue/Worker.ts"
import * as OutageLog from "../../src/foundation/log/OutageLog.ts"
import * as Testing from "../../src/testing.ts"
import { eventually } from "../support/Eventually.ts"
import { environment, layer as jobs } from "../support/TestJobs.ts"
import * as TestPgBouncer from "../support/TestPgBouncer.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import { approvedApp } from "../support/TestServer.ts"

const Probe = define({ queue: "probes", payload: Schema.Struct({ n: Schema.Int }), subject: ({ n }) => `subject:${n}` })

const server = (env: Readonly<Record<string, string>>) =>
  Layer.mergeAll(Testing.layer(env), HttpServer.layerServices).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(AppConfig.layerTest(env)),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
  )

const serializable = Effect.tap(
  TestPostgres.make,
  ({ administer }) => administer("ALTER DATABASE postgres SET default_transaction_isolation = 'serializable'")
)

describe.skipIf(TestPostgres.missing !== undefined)("On a database with another isolation level", () => {
  it.live(
    "requests and jobs at the same moment do not exclude each other",
    () =>
      Effect.gen(function*() {
        const { url } = yield* serializable
        const many = <A, E, R>(effect: (n: number) => Effect.Effect<A, E, R>) =>
          Effect.forEach(Array.from({ length: 40 }, (_, n) => n), effect, { concurrency: "unbounded" })
        yield* Effect.gen(function*() {
          const app = yield* approvedApp()
          const code = yield* app.code()
          const answers = yield* many(() => app.exchange(code))
          assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))].toSorted(), [200, 400])
        }).pipe(Effect.provide(server({ DATABASE_URL: url })))

        const { env } = yield* environment("postgres", { DATABASE_URL: url })
        yield* Effect.gen(function*() {
          const open = yield* OutageLog.OpenOutages
          const outbox = yield* Outbox
          const done = new Set<number>()
          yield* Layer.build(Layer.merge(
            Relay.layerLoop,
            Worker.layer({ kind: Probe, concurrency: 20, handler: ({ n }) => Effect.sync(() => done.add(n)) })
          ))
          yield* many((n) => outbox.publish(Probe.make({ n })))
          yield* eventually(Effect.sync(() => done.size === 40))
          assert.deepStrictEqual([...open.keys()], [])
        }).pipe(
          Effect.scoped,
          Effect.provide(jobs(env)),
          Effect.provideService(OutageLog.OpenOutages, new Map())
        )
      }),
    120_000
  )

  it.live.skipIf(TestPgBouncer.missing !== undefined)(
    "a server does not start behind a pooler, which takes no settings of a session",
    () =>
      Effect.gen(function*() {
        const postgres = yield* serializable
        const env = {
          DATABASE_URL: yield* TestPgBouncer.before(postgres),
          DATABASE_POOLER: "transaction",
          DATABASE_DIRECT_URL: postgres.url
        }
        const start = Effect.scoped(Layer.build(Layer.provide(Database.layer, AppConfig.layerTest(env))))
        const refused = yield* Effect.flip(start)
        assert.include(refused.message, "Behind the pooler each transaction has the isolation level serializable")
        assert.include(String(refused.remedy), "SET default_transaction_isolation = 'read committed'")
      }),
    60_000
  )
})
