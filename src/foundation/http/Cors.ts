import { HttpServerResponse } from "effect/http"

/** Lets every origin read an answer: what it says does not depend on cookies (Fetch standard, CORS protocol). */
export const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "retry-after, www-authenticate"
} as const

/** The answer to a preflight of another origin. */
export const preflight = (method: string) =>
  HttpServerResponse.empty({
    status: 204,
    headers: {
      ...corsHeaders,
      "access-control-allow-methods": method,
      "access-control-allow-headers": "authorization, *",
      "access-control-max-age": "86400"
    }
  })
