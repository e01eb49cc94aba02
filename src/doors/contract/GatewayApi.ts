import { Schema } from "effect"
import type { HttpMethod } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { failures, refusals } from "../../foundation/http/Envelope.ts"
import { wire } from "../resource/Denied.ts"

const path = "/v2/auth/oauth2/check"

const method = Schema.String.annotate({ description: "The method of the call." })
const target = Schema.String.annotate({ description: "The path of the call with its query, as the caller wrote it." })

/** Lets the call pass, and names its caller to the API behind the gateway. */
const Passes = HttpApiSchema.WithHeaders(
  HttpApiSchema.Empty(200).annotate({ description: "The call may pass; the headers say who calls, if anyone" }),
  {
    "x-slotkey-user": Schema.String,
    "x-slotkey-client": Schema.String,
    "x-slotkey-grant": Schema.String,
    "x-slotkey-scope": Schema.String
  }
)

const answers = {
  success: Passes,
  error: [
    refusals.badRequest,
    wire.tokenRefused,
    wire.callRefused,
    ...failures
  ]
} as const

const about = (gateway: string) =>
  OpenApi.annotations({
    summary: `May this call pass? (${gateway})`,
    description: "Any method is answered alike.",
    override: { security: [{ slotkey: [] }, {}] }
  })

/** Asked by Envoy, which keeps the method of the call. */
const envoy = <const Method extends HttpMethod.HttpMethod>(method: Method) =>
  HttpApiEndpoint.make(method)(`envoy${method}`, `${path}/envoy/:call`, {
    params: { call: Schema.String.annotate({ description: "The path of the call, slashes and all" }) },
    ...answers,
    // The router refuses a path that is not percent-encoded UTF-8 before the check sees it.
    error: [...answers.error, refusals.notFound]
  }).annotateMerge(about("Envoy"))

/** Question that a gateway asks about each call of the platform API (docs/gateway.md); served by `GatewayRoutes`. */
export class GatewayApi extends HttpApiGroup.make("gateway")
  .add(
    HttpApiEndpoint.get("nginx", `${path}/nginx`, {
      headers: { "x-original-method": method, "x-original-uri": target },
      ...answers
    }).annotateMerge(about("nginx")),
    HttpApiEndpoint.get("forwarded", `${path}/forwarded`, {
      headers: { "x-forwarded-method": method, "x-forwarded-uri": target },
      ...answers
    }).annotateMerge(about("Traefik, Caddy")),
    envoy("GET"),
    envoy("POST"),
    envoy("PUT"),
    envoy("PATCH"),
    envoy("DELETE")
  )
  .annotateMerge(OpenApi.annotations({
    title: "Gateway",
    description: "For the gateway before the platform API: it forwards the Authorization header of a call and learns " +
      "whether the call may pass."
  }))
{}
