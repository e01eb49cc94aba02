import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Collectors } from "./Collectors.ts"
import { expose } from "./Exposition.ts"
import { Readiness } from "./Readiness.ts"

/** The endpoints for an operator's tools: `/healthz` waits for nothing, `/readyz` and `/metrics` for a probe at most. */
export const OperatorRoutes = HttpRouter.use(Effect.fn(function*(router) {
  const readiness = yield* Readiness
  const collectors = yield* Collectors

  const ready = Effect.map(
    readiness.report,
    (report) =>
      HttpServerResponse.jsonUnsafe(report, { status: report.status === "failed" ? 503 : 200, headers: uncached })
  )

  const metrics = (request: HttpServerRequest.HttpServerRequest) =>
    Effect.all([readiness.report, collectors.collect], { concurrency: 2 }).pipe(
      Effect.andThen(expose(request.headers["accept"]))
    )

  yield* router.add("GET", "/healthz", HttpServerResponse.jsonUnsafe({ status: "ok" }, { headers: uncached }))
  yield* router.add("GET", "/readyz", ready)
  yield* router.add("GET", "/metrics", metrics)
}))

const uncached = { "cache-control": "no-store" }
