import { Effect, Scope } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { createHash } from "node:crypto"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { documentedApi } from "./ApiDocument.ts"

/**
 * The reference of the API for developers: `/docs` for people, `/openapi.json` for programs. Both are made from the contract
 * and the settings of this server.
 */
export const DocsPages = HttpRouter.use(
  Effect.fnUntraced(function*(router) {
    const { authUrl, baseUrl } = yield* AppConfig
    const api = documentedApi({ authUrl, baseUrl })
    const scope = yield* Effect.scope

    // Made by the first request that wants it: the scripts of the reference take 14 MB.
    const reference = HttpRouter.toHttpEffect(
      HttpApiScalar.layer(api, { path: "/docs", scalar: { withDefaultFonts: false } })
    )
    const page = yield* Effect.flatten(reference).pipe(
      Effect.map((page) =>
        HttpServerResponse.setHeader(page, "content-security-policy", policyFor(page, [authUrl, baseUrl]))
      ),
      Scope.provide(scope),
      Effect.cached
    )
    const document = yield* Effect.cached(Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(api))))

    yield* router.add("GET", "/docs", page)
    yield* router.add("GET", "/openapi.json", document)
  })
)

/**
 * The reference brings its scripts inline: the policy names each by its hash, so that no other one runs. They send requests
 * to the documented addresses alone; these are named where they differ, because the page may be opened at either.
 */
const policyFor = (
  { body }: HttpServerResponse.HttpServerResponse,
  addresses: ReadonlyArray<string>
): string => {
  const page = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
  const hashes = Array.from(
    page.matchAll(/<script(?:\s[^>]*)?>([\s\S]*?)<\/script>/g),
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`
  )
  const origins = [...new Set(addresses.map((address) => new URL(address).origin))]
  return [
    "default-src 'none'",
    `script-src ${hashes.join(" ")}`,
    // The reference sets styles from its script.
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...(origins.length > 1 ? origins : [])].join(" "),
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}
