import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import { createHash } from "node:crypto"
import { Api } from "../Api.ts"

// The reference brings its scripts inline: the policy names each by its hash, so that no other one runs.
const withPolicy = HttpRouter.middleware(Effect.sync(() => {
  let policy: string | undefined
  return (httpEffect) =>
    Effect.map(httpEffect, (response) => {
      policy ??= policyFor(response)
      return HttpServerResponse.setHeader(response, "content-security-policy", policy)
    })
}))

/** The API reference for people, drawn from the same definitions that serve. */
export const DocsRoute = HttpApiScalar.layer(Api, { path: "/docs", scalar: { withDefaultFonts: false } }).pipe(
  Layer.provide(withPolicy.layer)
)

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
