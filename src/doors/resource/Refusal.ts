import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { envelope } from "../../foundation/http/Envelope.ts"

/** An answer of the API in the error envelope, never kept by a cache. */
export const refuse = (
  status: number,
  { code, message }: { readonly code: string; readonly message: string },
  headers: Readonly<Record<string, string>> = {}
) =>
  Effect.map(
    envelope({ code, message }),
    (body) => HttpServerResponse.jsonUnsafe(body, { status, headers: { ...headers, "cache-control": "no-store" } })
  )

/** Nobody can tell now whether a token is good: that is our fault, so it is not said of the token. */
export const unavailable = {
  status: 503,
  code: "temporarily_unavailable",
  message: "The access token cannot be checked now; try again shortly.",
  headers: { "retry-after": "1" }
} as const

export const busy = refuse(unavailable.status, unavailable, unavailable.headers)
