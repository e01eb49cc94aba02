import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { corsHeaders, preflight } from "../../foundation/http/Cors.ts"
import { metadataPath, resourceMetadata, wellKnown } from "./ResourceMetadata.ts"

/** Serves `ResourceApi`: the metadata of the API as a protected resource, to browsers of any origin as well. */
export const ResourceRoutes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { baseUrl, issuer } = yield* AppConfig
  const metadata = HttpServerResponse.jsonUnsafe(resourceMetadata(yield* Catalogue, baseUrl, issuer), {
    headers: { ...corsHeaders, "cache-control": "public, max-age=3600" }
  })

  // The metadata of an API whose address has a path has a second address (RFC 9728 §3.1).
  for (const path of new Set([wellKnown, metadataPath(baseUrl)])) {
    yield* router.add("GET", path, metadata)
    yield* router.add("OPTIONS", path, preflight("GET"))
  }
}))
