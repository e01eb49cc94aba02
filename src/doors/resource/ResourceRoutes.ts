import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Resource } from "../../core/resources/Resource.ts"
import { Resources } from "../../core/resources/Resources.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { corsHeaders, preflight } from "../../foundation/http/Cors.ts"
import { errorResponse } from "./ErrorResponse.ts"
import { metadataPath, resourceMetadata, wellKnown } from "./ResourceMetadata.ts"

/**
 * Serves `ResourceApi`: the metadata of the API and of each registered resource, to browsers of any origin as well. A
 * resource on a host of its own has its metadata there: its gateway leads the address to this server.
 */
export const ResourceRoutes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { baseUrl, issuer } = yield* AppConfig
  const { api } = yield* Catalogue
  const resources = yield* Resources
  const ofApi = document(
    resourceMetadata({ identifier: baseUrl, name: api.name, baseScopes: resources.baseScopesOf(null) }, issuer),
    3600
  )
  // The metadata of an API whose address has a path has a second address (RFC 9728 §3.1).
  const apiPaths: ReadonlySet<string> = new Set([wellKnown, metadataPath(baseUrl)])

  const answer = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
    const [path = ""] = request.url.split("?", 1)
    const known = yield* Effect.orElseSucceed(Effect.sandbox(resources.known), () => [])
    const here = known.filter(({ identifier }) => metadataPath(identifier) === path)
    const named = here.find(({ identifier }) => new URL(identifier).host === request.headers["host"])
    if (named !== undefined) return document(resourceMetadata(named, issuer), 300)
    if (apiPaths.has(path)) return ofApi
    // A gateway may ask under another name of this server.
    const only = onlyOne(here)
    return only === undefined ? yield* notFound : document(resourceMetadata(only, issuer), 300)
  })

  for (const path of [wellKnown, `${wellKnown}/:first/*`] as const) {
    yield* router.add("GET", path, answer)
    yield* router.add("OPTIONS", path, preflight("GET"))
  }
}))

const document = (body: unknown, seconds: number) =>
  HttpServerResponse.jsonUnsafe(body, { headers: { ...corsHeaders, "cache-control": `public, max-age=${seconds}` } })

const onlyOne = (found: ReadonlyArray<Resource>) => found.length === 1 ? found[0] : undefined

const notFound = errorResponse(404, { code: "not_found", message: "There is no such resource." }, corsHeaders)
