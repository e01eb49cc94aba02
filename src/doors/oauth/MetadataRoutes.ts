import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { SigningKeys } from "../../core/keys/SigningKeys.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { corsHeaders, preflight } from "../../foundation/http/Cors.ts"
import { Languages } from "../../foundation/messages/Languages.ts"
import { jwksPath, metadataPathsOf, serverMetadata } from "./ServerMetadata.ts"
import { type Supported, supported } from "./Supported.ts"

/** Serves `MetadataApi`: the documents that clients and resource servers discover, in browsers of any origin, too. */
export const metadataRoutes = (supported: Supported) =>
  HttpRouter.use(Effect.fnUntraced(function*(router) {
    const config = yield* AppConfig
    const keys = yield* SigningKeys

    const metadata = publicDocument(serverMetadata(yield* Catalogue, config, supported, yield* Languages))
    const jwks = Effect.sync(() => publicDocument({ keys: keys.live().map(({ publicJwk }) => publicJwk) }))

    for (const path of metadataPathsOf(config.issuer)) {
      yield* router.add("GET", path, metadata)
      yield* router.add("OPTIONS", path, preflight("GET"))
    }
    yield* router.add("GET", jwksPath, jwks)
    yield* router.add("OPTIONS", jwksPath, preflight("GET"))
  }))

export const MetadataRoutes = metadataRoutes(supported)

// Caches keep the keys for less time than a new key is published before it signs.
const publicDocument = (body: unknown) =>
  HttpServerResponse.jsonUnsafe(body, { headers: { ...corsHeaders, "cache-control": "public, max-age=300" } })
