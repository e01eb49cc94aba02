import { Cause, Effect } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AuditLog } from "../src/core/audit/AuditLog.ts"
import { initiatorOf } from "../src/foundation/http/SameOrigin.ts"
import { databaseAway } from "../src/foundation/http/Unavailable.ts"
import { Queues } from "../src/foundation/jobs/queue/Queues.ts"
import type { Change } from "./Board.ts"

/** Lets a request pass and names its actor for the audit trail, or answers it in the error channel. */
type Guard<R> = Effect.Effect<string, HttpServerResponse.HttpServerResponse, R>

/**
 * Dashboard of the queues (bull-board) at `/queues`, which browsers find beneath the public path, behind the guard.
 * Requests that change something must come from the dashboard's own pages, and are in the audit trail.
 */
export const layer = <R>(guard: Guard<R>, publicPath = "") =>
  HttpRouter.use(Effect.fn(function*(router) {
    const audit = yield* AuditLog
    const queues = yield* Queues
    // The board is loaded by the first visitor: it is a tenth of the code of a process with workers.
    const openBoard = yield* Effect.cached(
      Effect.uninterruptible(
        Effect.flatMap(Effect.promise(() => import("./Board.ts")), ({ make }) => make(path, publicPath, queues))
      )
    )

    // The stores of the queues and of the trail share no transaction, so an entry may fail when its change is made.
    const record = (actor: string, { act, subject }: Change) =>
      Effect.catchCause(audit.record({ actor, action: "queue.changed", details: { act, ...subject } }), (cause) =>
        Effect.logError("A change on the dashboard is missing in the audit trail", Cause.fail(Cause.squash(cause)))
          .pipe(
            Effect.annotateLogs({ actor, act, ...subject })
          ))

    const answerByBoard = Effect.fnUntraced(function*(actor: string) {
      const board = yield* openBoard
      const changes: Array<Change> = []
      const response = yield* HttpEffect.fromWebHandler((request) =>
        board(request, (change) =>
          changes.push(change))
      )
      yield* Effect.forEach(changes, (change) => record(actor, change))
      return response
      // What was changed is recorded although nobody waits for the answer any more.
    }, Effect.uninterruptible)

    // A queue that was opened while its store is away would hold the board's calls until the store is there.
    const board = (actor: string) =>
      Effect.andThen(queues.available, answerByBoard(actor)).pipe(
        Effect.catchTag("QueuesUnavailable", () => Effect.succeed(away))
      )
    const answer = Effect.gen(function*() {
      const actor = yield* guard
      const request = yield* HttpServerRequest.HttpServerRequest
      if (!isSafe(request.method) && !isFromDashboard(request.headers)) {
        return HttpServerResponse.text("Only the dashboard itself may do this.", { status: 403 })
      }
      return HttpServerResponse.setHeaders(yield* board(actor), headers)
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
