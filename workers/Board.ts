import { createBullBoard } from "@bull-board/api"
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter"
import { HonoAdapter } from "@bull-board/hono"
import { serveStatic } from "@hono/node-server/serve-static"
import { Queue } from "bullmq"
import { Effect } from "effect"
import { Hono } from "hono"
import { AsyncLocalStorage } from "node:async_hooks"
import { queueNames } from "../src/foundation/jobs/queue/QueueNames.ts"
import type { Queues } from "../src/foundation/jobs/queue/Queues.ts"

/** A change that somebody made on the board, in its own terms: such as `retry` of a job, or `pause` of a queue. */
export interface Change {
  readonly act: string
  /** Subject: queue, job, state of jobs, or scheduler, as far as the act has one; without a queue it is all of them. */
  readonly subject: Readonly<Record<string, string>>
}

/**
 * Web application at this path, beneath the one at which browsers find it, as a handler of its requests that tells the
 * changes that it has made.
 */
export const make = Effect.fnUntraced(function*(path: string, publicPath: string, queues: Queues["Service"]) {
  const adapters = yield* Effect.forEach(
    queueNames,
    (name) => Effect.map(queues.queue(name), (queue) => new BullMQAdapter(asQueue(queue)))
  )
  const serverAdapter = new HonoAdapter(serveStatic)
  serverAdapter.setBasePath(publicPath + path)
  createBullBoard({
    queues: adapters,
    serverAdapter,
    options: {
      handlerHooks: {
        after: ({ method, request, route }, result) => {
          if (method !== "get" && (result.status ?? 200) < 400) listener.getStore()?.(changeOf(route, request.params))
          return result
        }
      },
      uiConfig: {
        boardTitle: "Slotkey jobs",
        hideDocsLink: true,
        hideRedisDetails: true,
        // Workers that poll PostgreSQL hold no connection by which the board could count them.
        showWorkers: queues.store === "redis"
      }
    }
  })
  const app = new Hono({ strict: false }).route(path, serverAdapter.registerPlugin())
  return async (request: Request, onChange: (change: Change) => void) =>
    withoutForeignStyles(await listener.run(onChange, () => app.fetch(request)))
})

/** Who hears of the changes that a request makes. */
const listener = new AsyncLocalStorage<(change: Change) => void>()

/** The act is what its route says, so that one which a later board adds has a name, too. */
const changeOf = (route: string, params: Readonly<Record<string, unknown>>): Change => ({
  act: route.split("/").slice(3).filter((segment) => !segment.startsWith(":")).join(" "),
  subject: Object.fromEntries(
    subjects.flatMap(([name, param]) => typeof params[param] === "string" ? [[name, params[param]]] : [])
  )
})

const subjects = [
  ["queue", "queueName"],
  ["job", "jobId"],
  ["state", "queueStatus"],
  ["scheduler", "schedulerId"]
] as const

/** Board's page without the fonts that it would load from another host, and need not. */
const withoutForeignStyles = async (response: Response): Promise<Response> => {
  if (!response.headers.get("content-type")?.startsWith("text/html")) return response
  const page = await response.text()
  return new Response(page.replaceAll(/<link href="https:[^>]*>/g, ""), response)
}

// The board's type of a queue is BullMQ's default one, for Redis; it works with any.
const asQueue = (queue: unknown): Queue => {
  if (!(queue instanceof Queue)) throw new TypeError("This is not a queue")
  return queue
}
