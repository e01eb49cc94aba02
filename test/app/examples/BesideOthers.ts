import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Routes } from "../../../src/index.ts"

/** What the program has of its own: a front page, and an address that takes large bodies. */
const Own = HttpRouter.addAll([
  HttpRouter.route("GET", "/", HttpServerResponse.text("The platform")),
  HttpRouter.route(
    "POST",
    "/uploads",
    HttpServerRequest.HttpServerRequest.pipe(
      Effect.flatMap((request) => request.arrayBuffer),
      Effect.map(({ byteLength }) => HttpServerResponse.jsonUnsafe({ received: byteLength }))
    )
  )
])

/** Routes of the whole program. */
export const All = Layer.merge(Own, Routes)
