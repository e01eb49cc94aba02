import { DateTime, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { AppConfig } from "../AppConfig.ts"
import { jwksPath, metadataPath, metadataPathOf, serverMetadata } from "./Metadata.ts"
import { open, preflight } from "./OAuthResponse.ts"
import { SigningKeys } from "./SigningKeys.ts"

export const MetadataHandlers = HttpApiBuilder.group(
  Api,
  "metadata",
  Effect.fn(function*(handlers) {
    const metadata = publicly(serverMetadata(yield* AppConfig))
    const keys = yield* SigningKeys

    return handlers.handleAll({
      server: () => Effect.succeed(metadata),
      keys: Effect.fnUntraced(function*() {
        const live = keys.live(yield* DateTime.now)
        return publicly({ keys: live.map(({ publicJwk }) => publicJwk) })
      })
    })
  })
)

/** The address of RFC 8414 §3.1 for an issuer with a path, and the preflights of browser clients. */
export const MetadataRoutes = Layer.unwrap(Effect.gen(function*() {
  const config = yield* AppConfig
  const path = metadataPathOf(config.issuer)
  return Layer.mergeAll(
    path === metadataPath ? Layer.empty : Layer.mergeAll(
      HttpRouter.add("GET", path, publicly(serverMetadata(config))),
      HttpRouter.add("OPTIONS", path, preflight("GET"))
    ),
    HttpRouter.add("OPTIONS", metadataPath, preflight("GET")),
    HttpRouter.add("OPTIONS", jwksPath, preflight("GET"))
  )
}))

// Shorter than a new key is published before it signs.
const publicly = (body: unknown) =>
  HttpServerResponse.jsonUnsafe(body, { headers: { ...open, "cache-control": "public, max-age=300" } })
