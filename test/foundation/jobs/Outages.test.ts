// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { define } from "../../../src/foundation/jobs/Job.ts"
import { Outbox } from "../../../src/foundation/jobs/outbox/Outbox.ts"
import { Queues } from "../../../src/foundation/jobs/queue/Queues.ts"
import { Relay } from "../../../src/foundation/jobs/queue/Relay.ts"
import * as Worker from "../../../src/foundation/jobs/queue/Worker.ts"
import { eventually } from "../../support/Eventually.ts"
import { layer, stores } from "../../support/TestJobs.ts"
import * as TestPostgres from "../../support/TestPostgres.ts"
import * as TestRedis from "../../support/TestRedis.ts"

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
          yield* sql`CREATE TABLE effects (n integer PRIMARY KEY, at bigint GENERATED ALWAYS AS IDENTITY)`
          yield* Layer.build(Layer.mergeAll(
            Relay.layerLoop,
            Worker.layer({
              kind: Probe,
              concurrency: 5,
              handler: ({ n }) => Effect.asVoid(sql`INSERT INTO effects (n) VALUES (${n}) ON CONFLICT DO NOTHING`)
            })
          ))

          const publish = (n: number) =>
            outbox.publish(Probe.make({ n })).pipe(
              Effect.sandbox,
              Effect.retry(Schedule.spaced("50 millis")),
              Effect.andThen(Effect.sleep("50 millis"))
            )
          const outages = Effect.gen(function*() {
            yield* Effect.sleep("500 millis")
            yield* postgres.kill
            yield* Effect.sleep("700 millis")
            yield* postgres.start
            yield* Effect.sleep("500 millis")
            if (redis !== undefined) {
              yield* redis.kill
              yield* Effect.sleep("700 millis")
              yield* redis.start
            }
            yield* postgres.kill
            yield* postgres.start
          })
          yield* Effect.all([
            Effect.forEach(Array.from({ length: jobs }, (_, n) => n), publish, { discard: true }),
            outages
          ], { concurrency: 2 })

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
