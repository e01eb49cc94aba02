import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { AppConfig } from "../config/AppConfig.ts"

/**
 * Makes an effect that names in the answer the address of what the request has created (RFC 9110 §15.3.2), from the
 * segments of its path and its query. It is an address of `BASE_URL`: a proxy may have cut a prefix off the one that
 * the request shows. The answer gets the status 201 here, because an endpoint that creates or changes has a 200 with
 * the same body as well.
 */
export const makeCreated = Effect.map(
  AppConfig,
  ({ baseUrl }) => (segments: ReadonlyArray<string>, query: Readonly<Record<string, string>> = {}) => {
    const path = [baseUrl, ...segments.map(encodeURIComponent)].join("/")
    const search = new URLSearchParams(query).toString()
    return HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(
        HttpServerResponse.setStatus(response, 201).pipe(
          HttpServerResponse.setHeader("location", search === "" ? path : `${path}?${search}`)
        )
      )
    )
  }
)
