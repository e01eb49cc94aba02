import type { Call } from "./Guard.ts"

/** A request of the web standard, as Hono (`context.req.raw`) and the route handlers of Next have it. */
export interface WebRequest {
  readonly method: string
  /** Whole address. */
  readonly url: string
  readonly headers: { get(name: string): string | null }
}

/** A request of `node:http`, as Express and Fastify have it, too. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Path at which the router of Express is mounted; it has taken that off `url`. */
  readonly baseUrl?: string | undefined
  /** Target as it came; Fastify has it too, where a program rewrites targets. */
  readonly originalUrl?: string | undefined
  readonly headers: { readonly authorization?: string | undefined }
}

/** Call that a request makes. Its path is what the router goes by, so that the guard checks what will be done. */
export const callOf = (request: WebRequest | NodeRequest): Call =>
  isWeb(request)
    ? {
      method: request.method,
      target: request.url.replace(/^[a-z]+:\/\/[^/?#]*/i, ""),
      authorization: request.headers.get("authorization") ?? undefined
    }
    : {
      method: request.method ?? "",
      target: targetOf(request),
      authorization: request.headers.authorization
    }

// A router of Express that is left with no path puts a slash there: `/v2/me?x` is `/?x` at `/v2/me`.
const targetOf = ({ baseUrl = "", originalUrl, url = "" }: NodeRequest): string =>
  originalUrl === baseUrl + url.slice(1) ? originalUrl : baseUrl + url

// The headers of Node are texts, even one with the name `get`.
const isWeb = (request: WebRequest | NodeRequest): request is WebRequest =>
  "get" in request.headers && typeof request.headers.get === "function"
