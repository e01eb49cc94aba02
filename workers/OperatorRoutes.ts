import { Effect, Result } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { OutboxRepo } from "../src/foundation/jobs/outbox/OutboxRepo.ts"
import { Queues } from "../src/foundation/jobs/queue/Queues.ts"
import * as QueueMetrics from "./QueueMetrics.ts"

/** The endpoints of a worker process for an operator's tools: liveness, readiness and metrics. */
export const layer = HttpRouter.use(Effect.fn(function*(router) {
  const sql = yield* SqlClient.SqlClient
  const queues = yield* Queues
  const outbox = yield* OutboxRepo

  const database = Effect.timeout(sql`SELECT 1`, "3 seconds")

  const ready = Effect.gen(function*() {
    const [databaseCheck, queuesCheck] = yield* Effect.all([Effect.result(database), Effect.result(queues.available)], {
      concurrency: 2
    })
    const word = (result: Result.Result<unknown, unknown>) => Result.isSuccess(result) ? "ok" : "unavailable"
    const isReady = Result.isSuccess(databaseCheck) && Result.isSuccess(queuesCheck)
    return HttpServerResponse.jsonUnsafe({ database: word(databaseCheck), queues: word(queuesCheck) }, {
      status: isReady ? 200 : 503
    })
  })

  const metrics = Effect.gen(function*() {
    yield* QueueMetrics.collect(queues, outbox)
    return HttpServerResponse.text(yield* PrometheusMetrics.format(), {
      contentType: "text/plain; version=0.0.4; charset=utf-8"
    })
  })

  yield* router.add("GET", "/healthz", HttpServerResponse.jsonUnsafe({ status: "ok" }))
  yield* router.add("GET", "/readyz", ready)
  yield* router.add("GET", "/metrics", metrics)
}))
