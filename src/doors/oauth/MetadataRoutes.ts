import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { SigningKeys } from "../../core/keys/SigningKeys.ts"
import type { Resource } from "../../core/resources/Resource.ts"
import { Resources } from "../../core/resources/Resources.ts"
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

    const catalogue = yield* Catalogue
    const languages = yield* Languages
    const resources = yield* Resources
    const scopes = config.metadataScopes === "all" ? catalogue.lasting : resources.baseScopesOf(null)
    const metadataWith = (known: ReadonlyArray<Resource>) =>
      publicDocument(serverMetadata(scopes, config, supported, languages, known))
    let made = { known: none, document: metadataWith(none) }
    const metadata = Effect.map(Effect.orElseSucceed(Effect.sandbox(resources.known), () => none), (known) => {
      if (known !== made.known) made = { known, document: metadataWith(known) }
      return made.document
    })
    const jwks = Effect.sync(() => publicDocument({ keys: keys.live().map(({ publicJwk }) => publicJwk) }))

    for (const path of metadataPathsOf(config.issuer)) {
      yield* router.add("GET", path, metadata)
      yield* router.add("OPTIONS", path, preflight("GET"))
    }
    yield* router.add("GET", jwksPath, jwks)
    yield* router.add("OPTIONS", jwksPath, preflight("GET"))
  }))

const none: ReadonlyArray<Resource> = []

export const MetadataRoutes = metadataRoutes(supported)

// Caches keep the keys for less time than a new key is published before it signs.
const publicDocument = (body: unknown) =>
  HttpServerResponse.jsonUnsafe(body, { headers: { ...corsHeaders, "cache-control": "public, max-age=300" } })
