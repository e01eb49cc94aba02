import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Collectors } from "./Collectors.ts"
import { expose, MetricsText } from "./Exposition.ts"
import { Readiness } from "./Readiness.ts"

/** Endpoints for an operator's tools: `/healthz` waits for nothing, `/readyz` and `/metrics` for a probe at most. */
export const OperatorRoutes = HttpRouter.use(Effect.fn(function*(router) {
  const readiness = yield* Readiness
  const collectors = yield* Collectors
  const text = yield* MetricsText

  const ready = Effect.map(
    readiness.report,
    (report) =>
      HttpServerResponse.jsonUnsafe(report, { status: report.status === "failed" ? 503 : 200, headers: uncached })
  )

  const metrics = (request: HttpServerRequest.HttpServerRequest) =>
    Effect.all([readiness.report, collectors.collect], { concurrency: 2 }).pipe(
      Effect.andThen(expose(request.headers["accept"], text))
    )

  const addGet = <E, R>(path: HttpRouter.PathInput, answer: Answer<E, R>) =>
    router.add("*", path, (request) => isRead(request) ? answer(request) : notAllowed)

  yield* addGet("/healthz", () => alive)
  yield* addGet("/readyz", () => ready)
  yield* addGet("/metrics", metrics)
}))

type Answer<E, R> = (
  request: HttpServerRequest.HttpServerRequest
) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const isRead = ({ method }: HttpServerRequest.HttpServerRequest): boolean => method === "GET" || method === "HEAD"

const uncached = { "cache-control": "no-store" }

const alive = Effect.succeed(HttpServerResponse.jsonUnsafe({ status: "ok" }, { headers: uncached }))

// RFC 9110 §15.5.6: the answer names the methods that there are.
const notAllowed = Effect.succeed(HttpServerResponse.empty({ status: 405, headers: { allow: "GET, HEAD" } }))
