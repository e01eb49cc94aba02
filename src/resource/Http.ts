import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { AppConfig } from "../AppConfig.ts"
import { open, preflight } from "../tokens/OAuthResponse.ts"
import { metadataPath, resourceMetadata, wellKnown } from "./Metadata.ts"

export const ResourceHandlers = HttpApiBuilder.group(
  Api,
  "resource",
  Effect.fn(function*(handlers) {
    const metadata = yield* response
    return handlers.handle("metadata", () => Effect.succeed(metadata))
  })
)

/** The same where RFC 9728 §3.1 puts it for an API whose address has a path, and the preflights of browser clients. */
export const ResourceRoutes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const path = metadataPath((yield* AppConfig).baseUrl)
  yield* router.add("OPTIONS", wellKnown, preflight("GET"))
  if (path === wellKnown) return
  yield* router.add("OPTIONS", path, preflight("GET"))
  yield* router.add("GET", path, yield* response)
}))

const response = Effect.map(
  AppConfig,
  ({ baseUrl, issuer }) =>
    HttpServerResponse.jsonUnsafe(resourceMetadata(baseUrl, issuer), {
      headers: { ...open, "cache-control": "public, max-age=3600" }
    })
)
