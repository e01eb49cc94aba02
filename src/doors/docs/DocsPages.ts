import { Effect, Layer, Scope } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { createHash } from "node:crypto"
import { Api } from "../contract/Api.ts"

// The reference brings its scripts inline: the policy names each by its hash, so that no other one runs.
const withPolicy = HttpRouter.middleware(Effect.sync(() => {
  let policy: string | undefined
  return (httpEffect) =>
    Effect.map(httpEffect, (response) => {
      policy ??= policyFor(response)
      return HttpServerResponse.setHeader(response, "content-security-policy", policy)
    })
}))

const Scalar = HttpApiScalar.layer(Api, { path: "/docs", scalar: { withDefaultFonts: false } }).pipe(
  Layer.provide(withPolicy.layer)
)

// Its scripts take 14 MB, so they are loaded when somebody looks.
const Reference = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const scope = yield* Effect.scope
  const scalar = yield* Effect.cached(Scope.provide(HttpRouter.toHttpEffect(Scalar), scope))
  yield* router.add("GET", "/docs", Effect.flatten(scalar))
}))

const Description = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const document = yield* Effect.cached(Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(Api))))
  yield* router.add("GET", "/openapi.json", document)
}))

/** The API reference for people and for programs, drawn from the same definitions that serve. */
export const DocsPages = Layer.mergeAll(Reference, Description)

const policyFor = ({ body }: HttpServerResponse.HttpServerResponse): string => {
  const page = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
  const hashes = Array.from(
    page.matchAll(/<script(?:\s[^>]*)?>([\s\S]*?)<\/script>/g),
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`
  )
  return [
    "default-src 'none'",
    `script-src ${hashes.join(" ")}`,
    // The reference sets styles from its script.
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}
