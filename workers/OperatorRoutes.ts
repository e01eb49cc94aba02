import { Duration, Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { StatementTimeout } from "../src/foundation/database/StatementTimeout.ts"
import { OutboxRepo } from "../src/foundation/jobs/outbox/OutboxRepo.ts"
import { Queues } from "../src/foundation/jobs/queue/Queues.ts"
import { Relay } from "../src/foundation/jobs/queue/Relay.ts"
import * as QueueMetrics from "./QueueMetrics.ts"

/** The endpoints of a worker process for an operator's tools: liveness, readiness and metrics. */
export const layer = HttpRouter.use(Effect.fn(function*(router) {
  const sql = yield* SqlClient.SqlClient
  const queues = yield* Queues
  const outbox = yield* OutboxRepo
  const relay = yield* Relay

  const database = Effect.provideService(sql`SELECT 1`, StatementTimeout, probeTimeout)
  const word = <E>(check: Effect.Effect<unknown, E>) =>
    Effect.match(Effect.timeout(check, probeTimeout), { onFailure: () => "unavailable", onSuccess: () => "ok" })

  const ready = Effect.gen(function*() {
    const [databaseWord, queuesWord, sinceLastPass] = yield* Effect.all(
      [word(database), word(queues.available), relay.sinceLastPass],
      { concurrency: 2 }
    )
    const moves = Duration.isLessThanOrEqualTo(sinceLastPass, relayPatience) ? "ok" : "stalled"
    const state = { database: databaseWord, queues: queuesWord, relay: moves }
    const isReady = Object.values(state).every((word) => word === "ok")
    return HttpServerResponse.jsonUnsafe(state, { status: isReady ? 200 : 503 })
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

const probeTimeout = Duration.seconds(3)

/** The relay looks for jobs twice a second; without a success for this long it is of no use. */
const relayPatience = Duration.seconds(15)
