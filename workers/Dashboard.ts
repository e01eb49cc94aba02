import { Effect } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { initiatorOf } from "../src/foundation/http/SameOrigin.ts"
import { databaseAway } from "../src/foundation/http/Unavailable.ts"
import { Queues } from "../src/foundation/jobs/queue/Queues.ts"

/** Lets a request pass, or answers it in the error channel. */
export type Guard<R> = Effect.Effect<unknown, HttpServerResponse.HttpServerResponse, R>

/**
 * The dashboard of the queues (bull-board) at `/queues`, behind the guard. Requests that change something must come
 * from the dashboard's own pages.
 */
export const layer = <R>(guard: Guard<R>) =>
  HttpRouter.use(Effect.fn(function*(router) {
    const queues = yield* Queues
    // The board is loaded by the first visitor: it is a tenth of the code of a process with workers.
    const openBoard = yield* Effect.cached(
      Effect.uninterruptible(
        Effect.flatMap(Effect.promise(() => import("./Board.ts")), ({ make }) => make(path, queues))
      )
    )
    const answerByBoard = Effect.flatMap(openBoard, HttpEffect.fromWebHandler)
    // A queue that was opened while its store is away would hold the board's calls until the store is there.
    const board = Effect.andThen(queues.available, answerByBoard).pipe(
      Effect.catchTag("QueuesUnavailable", () => Effect.succeed(away))
    )
    const answer = Effect.gen(function*() {
      yield* guard
      const request = yield* HttpServerRequest.HttpServerRequest
      if (!isSafe(request.method) && !isFromDashboard(request.headers)) {
        return HttpServerResponse.text("Only the dashboard itself may do this.", { status: 403 })
      }
      return HttpServerResponse.setHeaders(yield* board, headers)
    }).pipe(Effect.catchIf(HttpServerResponse.isHttpServerResponse, Effect.succeed))
    yield* router.add("*", `${path}/*`, answer)
  }))

const path = "/queues"

const away = HttpServerResponse.text("The store of the queues does not answer.", {
  status: databaseAway.status,
  headers: databaseAway.headers
})

/** Only the dashboard's own pages, which are at the host that was asked, may change something. */
const isFromDashboard = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  initiatorOf(headers, (origin) => URL.canParse(origin) && new URL(origin).host === headers["host"]) === "same-origin"

const isSafe = (method: string) => method === "GET" || method === "HEAD"

// The dashboard's page has an inline style element.
const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
    "font-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
  "cache-control": "no-store"
}
