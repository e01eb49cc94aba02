import { createBullBoard } from "@bull-board/api"
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter"
import { HonoAdapter } from "@bull-board/hono"
import { serveStatic } from "@hono/node-server/serve-static"
import { Queue } from "bullmq"
import { Effect } from "effect"
import { Hono } from "hono"
import type { Queues } from "../src/foundation/jobs/queue/Queues.ts"
import { queueNames } from "./Workers.ts"

/** The web application at this path, as a handler of its requests. */
export const make = Effect.fnUntraced(function*(path: string, queues: Queues["Service"]) {
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
  const app = new Hono({ strict: false }).route(path, serverAdapter.registerPlugin())
  return async (request: Request) => withoutForeignStyles(await app.fetch(request))
})

/** The board's page without the fonts that it would load from another host, and need not. */
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
