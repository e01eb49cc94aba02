import { HttpServerResponse } from "effect/http"

/** Lets every origin read a response, for those that do not depend on cookies (Fetch standard, CORS protocol). */
export const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "retry-after, www-authenticate, x-request-id"
} as const

/**
 * Response to the preflight of another origin, and to any other caller that asks for the methods of an endpoint (RFC
 * 9110 §9.3.7).
 */
export const preflight = (methods: string) =>
  HttpServerResponse.empty({
    status: 204,
    headers: {
      ...corsHeaders,
      "allow": `${methods.replace("GET", "GET, HEAD")}, OPTIONS`,
      "access-control-allow-methods": methods,
      "access-control-allow-headers": "authorization, *",
      "access-control-max-age": "86400"
    }
  })
