// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ReviewNotice } from "../../src/foundation/jobs/kinds/ReviewNotice.ts"
import { Outbox } from "../../src/foundation/jobs/outbox/Outbox.ts"
import { eventually } from "../support/Eventually.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import * as TestRedis from "../support/TestRedis.ts"
import * as TestWebhook from "../support/TestWebhook.ts"
import * as WorkerProcess from "../support/WorkerProcess.ts"
import { addPeople, app } from "./Scenario.ts"

const missing = TestPostgres.missing ?? TestRedis.missing

/** Asks for the readiness of a process, which may not listen yet. */
const ask = (url: string) =>
  Effect.promise(() =>
    fetch(`${url}/readyz`).then(async (answer) => ({ status: answer.status, checks: (await answer.json()).checks }))
      .catch(() => ({ status: 0, checks: {} }))
  )

const isDraining = (url: string) =>
  Effect.map(ask(url), ({ checks, status }) => status === 503 && checks.draining.status === "failed")

describe("A worker process that gets a SIGTERM", () => {
  if (missing !== undefined) return it.skip(missing)

  it.live(
    "is not ready while it finishes its jobs, and soon gone where nothing answers any more",
    () =>
      Effect.gen(function*() {
        const postgres = yield* TestPostgres.make
        const redis = yield* TestRedis.make
        const webhook = yield* TestWebhook.make
        const env = {
          DATABASE_URL: postgres.url,
          REDIS_URL: redis.url,
          MASTER_KEY: Buffer.alloc(32, 7).toString("base64url"),
          REVIEW_WEBHOOK_URL: webhook.url,
          REVIEW_WEBHOOK_SECRET: "secret-of-the-webhook"
        }
        const start = Effect.gen(function*() {
          const worker = yield* WorkerProcess.start(env)
          yield* eventually(Effect.map(ask(worker.url), ({ status }) => status === 200))
          return worker
        })

        const finishes = yield* start
        yield* Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const { promise, resolve } = Promise.withResolvers<void>()
          webhook.answersAfter = promise
          yield* addPeople
          yield* Effect.flatMap(
            Outbox,
            (outbox) => outbox.publish(ReviewNotice.make({ clientId: app, event: "approved" }))
          )
          yield* eventually(Effect.sync(() => webhook.events.length === 1))
          yield* finishes.signal("SIGTERM")
          yield* eventually(isDraining(finishes.url))
          resolve()
          assert.strictEqual((yield* finishes.stop).code, 0)
          assert.strictEqual((yield* sql`SELECT 1 FROM outbox WHERE done_at IS NOT NULL`).length, 1)
          assert.strictEqual(webhook.events.length, 1)
        }).pipe(Effect.scoped, Effect.provide(Outbox.layer.pipe(Layer.provideMerge(TestDatabase.at(postgres.url)))))

        const alone = yield* start
        yield* redis.kill
        yield* postgres.kill
        yield* alone.signal("SIGHUP")
        const [took, { code, output }] = yield* Effect.timed(alone.stop)
        assert.strictEqual(code, 0)
        assert.include(output, "Workers stop")
        // It has no job in hand, for which there would be ten seconds.
        assert.isBelow(Duration.toSeconds(took), 10)
      }),
    240_000
  )
})
