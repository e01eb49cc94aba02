import type { Refusal } from "./Guard.ts"

/**
 * Response to a refused call, for what takes a response of the web standard: Hono, Fastify, the route handlers of Next.
 */
export const refusalResponse = (refusal: Refusal): Response =>
  new Response(bodyOf(refusal), { status: refusal.status, headers: headersOf(refusal) })

/** Part of a response of `node:http` that `sendRefusal` needs. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body: string): unknown
}

/** Sends the response to a refused call, for `node:http` and Express. */
export const sendRefusal = (refusal: Refusal, response: NodeResponse): void => {
  response.writeHead(refusal.status, headersOf(refusal))
  response.end(bodyOf(refusal))
}

const bodyOf = ({ code, message }: Refusal): string => JSON.stringify({ status: "error", error: { code, message } })

// A call that is refused now may pass with another token.
const headersOf = ({ headers }: Refusal): Record<string, string> => ({
  ...headers,
  "content-type": "application/json",
  "cache-control": "no-store"
})
