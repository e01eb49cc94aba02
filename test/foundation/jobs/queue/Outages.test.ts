// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { define } from "../../../../src/foundation/jobs/Job.ts"
import { Outbox } from "../../../../src/foundation/jobs/outbox/Outbox.ts"
import { Queues } from "../../../../src/foundation/jobs/queue/Queues.ts"
import { Relay } from "../../../../src/foundation/jobs/queue/Relay.ts"
import * as Worker from "../../../../src/foundation/jobs/queue/Worker.ts"
import { eventually } from "../../../support/Eventually.ts"
import { layer, stores } from "../../../support/TestJobs.ts"
import * as TestPostgres from "../../../support/TestPostgres.ts"
import * as TestRedis from "../../../support/TestRedis.ts"

const Probe = define({
  queue: "probes",
  payload: Schema.Struct({ n: Schema.Int }),
  subject: ({ n }) => `subject:${n % 5}`
})
const jobs = 60

describe.each(stores)("Under load, with the queues in $store", ({ skip, store }) => {
  const reason = skip ?? TestPostgres.missing
  if (reason !== undefined) return it.skip(reason)

  it.live(
    "nothing is lost and the order holds while PostgreSQL and Redis go and come back",
    () =>
      Effect.gen(function*() {
        const postgres = yield* TestPostgres.make
        const redis = store === "redis" ? yield* TestRedis.make : undefined
        const env = {
          DATABASE_URL: postgres.url,
          JOB_BACKOFF: "50 millis",
          JOB_LOCK: "1 second",
          JOB_ATTEMPTS: "100",
          ...(redis === undefined ? {} : { REDIS_URL: redis.url })
        }
        yield* Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const outbox = yield* Outbox
          const queues = yield* Queues
          yield* sql`CREATE TABLE effects (n integer PRIMARY KEY, at bigint GENERATED ALWAYS AS IDENTITY)`
          const handled = new Set<number>()
          yield* Layer.build(Layer.mergeAll(
            Relay.layerLoop,
            Worker.layer({
              kind: Probe,
              concurrency: 5,
              handler: ({ n }) =>
                sql`INSERT INTO effects (n) VALUES (${n}) ON CONFLICT DO NOTHING`.pipe(
                  Effect.andThen(Effect.sync(() => handled.add(n)))
                )
            })
          ))

          let refused = 0
          const publish = (n: number) =>
            eventually(Effect.matchCause(outbox.publish(Probe.make({ n })), {
              onFailure: () => {
                refused++
                return false
              },
              onSuccess: () => true
            }))
          const publishQuarter = (quarter: number) =>
            Effect.forEach(Array.from({ length: jobs / 4 }, (_, i) => quarter * jobs / 4 + i), publish, {
              discard: true
            })
          const until = (condition: () => boolean) => eventually(Effect.sync(condition))

          // Jobs are being worked on whenever a store fails, and others are published meanwhile.
          yield* publishQuarter(0)
          yield* until(() => handled.size > 3)
          yield* postgres.kill
          const second = yield* Effect.forkChild(publishQuarter(1))
          yield* until(() => refused > 3)
          yield* postgres.start
          yield* Fiber.join(second)
          if (redis !== undefined) {
            yield* until(() => handled.size > jobs / 4)
            yield* redis.kill
            yield* publishQuarter(2)
            yield* Effect.flip(queues.available)
            yield* redis.start
          } else yield* publishQuarter(2)
          yield* until(() => handled.size > jobs / 2)
          const fourth = yield* Effect.forkChild(publishQuarter(3))
          yield* postgres.kill
          yield* postgres.start
          yield* Fiber.join(fourth)

          const done = Effect.map(
            sql<{ n: number }>`SELECT count(*)::int AS n FROM outbox WHERE done_at IS NULL`,
            ([row]) => row?.n === 0
          )
          yield* eventually(Effect.catchCause(done, () => Effect.succeed(false)))
          const effects = yield* sql<{ n: number }>`SELECT n FROM effects ORDER BY at`
          assert.strictEqual(effects.length, jobs)
          for (let subject = 0; subject < 5; subject++) {
            const order = effects.map(({ n }) => n).filter((n) => n % 5 === subject)
            assert.deepStrictEqual(order, order.toSorted((a, b) => a - b))
          }
        }).pipe(Effect.scoped, Effect.provide(layer(env)))
      }),
    180_000
  )
})

describe("With the queues in PostgreSQL", () => {
  const { missing } = TestPostgres
  if (missing !== undefined) return it.skip(missing)

  it.live(
    "a queue and a worker that were opened while it was away work when it is back",
    () =>
      Effect.gen(function*() {
        const postgres = yield* TestPostgres.make
        yield* Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const relay = yield* Relay
          const outbox = yield* Outbox
          const queues = yield* Queues
          yield* outbox.publish(Probe.make({ n: 1 }))

          yield* postgres.kill
          const queue = yield* queues.queue(Probe.queue)
          const refused = yield* Effect.exit(Effect.tryPromise(() => queue.getWaitingCount()))
          assert.isTrue(Exit.isFailure(refused))
          yield* Layer.build(Worker.layer({ kind: Probe, handler: () => Effect.void }))
          yield* postgres.start

          const done = relay.enqueueNext.pipe(
            Effect.andThen(sql`SELECT 1 FROM outbox WHERE done_at IS NOT NULL`),
            Effect.map((rows) => rows.length === 1),
            Effect.catchCause(() => Effect.succeed(false))
          )
          yield* eventually(done)
        }).pipe(Effect.scoped, Effect.provide(layer({ DATABASE_URL: postgres.url, JOB_LOCK: "1 second" })))
      }),
    180_000
  )
})
