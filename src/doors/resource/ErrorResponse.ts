import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { errorEnvelope } from "../../foundation/http/Envelope.ts"
import * as Unavailable from "../../foundation/http/Unavailable.ts"

/** An error in the envelope of the API, which no cache keeps. */
export const errorResponse = (
  status: number,
  { code, message }: { readonly code: string; readonly message: string },
  headers: Readonly<Record<string, string>> = {}
) =>
  Effect.map(
    errorEnvelope({ code, message }),
    (body) => HttpServerResponse.jsonUnsafe(body, { status, headers: { ...headers, "cache-control": "no-store" } })
  )

/** The token could not be checked. That is a fault of the server, so nothing is said about the token. */
export const uncheckable = {
  ...Unavailable.busy,
  message: "The access token cannot be checked now; try again shortly."
} as const

export const unavailable = errorResponse(uncheckable.status, uncheckable, uncheckable.headers)
