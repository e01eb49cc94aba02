import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { AppConfig } from "../AppConfig.ts"
import { metadataPath, resourceMetadata, wellKnown } from "./Metadata.ts"

export const ResourceHandlers = HttpApiBuilder.group(
  Api,
  "resource",
  Effect.fn(function*(handlers) {
    const metadata = yield* response
    return handlers.handle("metadata", () => Effect.succeed(metadata))
  })
)

/** The same where RFC 9728 §3.1 puts it for an API whose address has a path. */
export const ResourceRoutes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const path = metadataPath((yield* AppConfig).baseUrl)
  if (path !== wellKnown) yield* router.add("GET", path, yield* response)
}))

/** Open to browser clients of any origin: it is public and the same for all. */
const response = Effect.map(
  AppConfig,
  ({ baseUrl, issuer }) =>
    HttpServerResponse.jsonUnsafe(resourceMetadata(baseUrl, issuer), {
      headers: { "access-control-allow-origin": "*", "cache-control": "public, max-age=3600" }
    })
)
