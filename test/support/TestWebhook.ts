import { Effect, type Scope } from "effect"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { listen } from "./Listening.ts"

/** A webhook that answers with the status that the test has set. */
export interface TestWebhook {
  readonly url: string
  status: number
  /** Nothing is answered before it resolves. */
  answersAfter: Promise<void>
  readonly events: Array<{ readonly headers: IncomingHttpHeaders; readonly body: string }>
}

export const make: Effect.Effect<TestWebhook, never, Scope.Scope> = Effect.gen(function*() {
  const events: TestWebhook["events"] = []
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    events.push({ headers: request.headers, body })
    await hook.answersAfter
    response.writeHead(hook.status).end()
  })
  const url = `http://127.0.0.1:${yield* listen(server)}/hook`
  const hook: TestWebhook = { url, status: 204, answersAfter: Promise.resolve(), events }
  return hook
})
