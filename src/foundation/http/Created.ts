import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { AppConfig } from "../config/AppConfig.ts"

/**
 * Makes an effect that names in the answer the address of what the request has created (RFC 9110 §15.3.2), from the
 * segments of its path. It is an address of `BASE_URL`: a proxy may have cut a prefix off the one that the request shows.
 */
export const makeCreated = Effect.map(
  AppConfig,
  ({ baseUrl }) => (...segments: ReadonlyArray<string>) =>
    HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(
        HttpServerResponse.setHeader(response, "location", [baseUrl, ...segments.map(encodeURIComponent)].join("/"))
      )
    )
)
