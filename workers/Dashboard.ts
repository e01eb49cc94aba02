import { createBullBoard } from "@bull-board/api"
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter"
import { HonoAdapter } from "@bull-board/hono"
import { serveStatic } from "@hono/node-server/serve-static"
import { Queue } from "bullmq"
import { Effect } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Hono } from "hono"
import { initiatorOf } from "../src/foundation/http/SameOrigin.ts"
import { databaseAway } from "../src/foundation/http/Unavailable.ts"
import { Queues } from "../src/foundation/jobs/queue/Queues.ts"
import { queueNames } from "./Workers.ts"

/** Lets a request pass, or answers it in the error channel. */
export type Guard<R> = Effect.Effect<unknown, HttpServerResponse.HttpServerResponse, R>

/**
 * The dashboard of the queues (bull-board) at `/queues`, behind the guard. Requests that change something must come
 * from the dashboard's own pages.
 */
export const layer = <R>(guard: Guard<R>) =>
  HttpRouter.use(Effect.fn(function*(router) {
    const queues = yield* Queues
    // A queue that was opened while its store is away would hold the board's calls until the store is there.
    const board = Effect.andThen(queues.available, HttpEffect.fromWebHandler(yield* makeBoard)).pipe(
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

const makeBoard = Effect.gen(function*() {
  const queues = yield* Queues
  const adapters = yield* Effect.forEach(
    queueNames,
    (name) => Effect.map(queues.queue(name), (queue) => new BullMQAdapter(asQueue(queue)))
  )
  const serverAdapter = new HonoAdapter(serveStatic)
  serverAdapter.setBasePath(path)
  createBullBoard({
    queues: adapters,
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: "Slotkey jobs",
        hideDocsLink: true,
        hideRedisDetails: true,
        // Workers that poll PostgreSQL hold no connection by which the board could count them.
        showWorkers: queues.store === "redis"
      }
    }
  })
  const app = new Hono().route(path, serverAdapter.registerPlugin())
  return async (request: Request) => app.fetch(request)
})

// The board's type of a queue is BullMQ's default one, for Redis; it works with any.
const asQueue = (queue: unknown): Queue => {
  if (!(queue instanceof Queue)) throw new TypeError("This is not a queue")
  return queue
}

/** Only the dashboard's own pages, which are at the host that was asked, may change something. */
const isFromDashboard = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  initiatorOf(headers, (origin) => URL.canParse(origin) && new URL(origin).host === headers["host"]) === "same-origin"

const isSafe = (method: string) => method === "GET" || method === "HEAD"

// The dashboard's page has an inline style element. It would load fonts from another host, and works without them.
const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
    "font-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
  "cache-control": "no-store"
}
