import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Brands } from "../../domain/brand/Brand.ts"
import { AppConfig } from "../config/AppConfig.ts"

/**
 * Source of a request as its browser reports it: a page of the same origin, another origin, or the user, who typed an
 * address or opened a bookmark. What is not a browser says nothing.
 */
type Initiator = "same-origin" | "other-origin" | "user" | "unknown"

/**
 * Initiator of a request by `Sec-Fetch-Site` (Fetch Metadata) or else by `Origin` (RFC 6454 §7). Browsers send the
 * first only to trustworthy addresses: not over plain http to another machine.
 */
export const initiatorOf = (
  { origin, "sec-fetch-site": site }: Readonly<Record<string, string | undefined>>,
  isOwnOrigin: (origin: string) => boolean
): Initiator => {
  if (site !== undefined) return site === "same-origin" ? site : site === "none" ? "user" : "other-origin"
  if (origin === undefined) return "unknown"
  return isOwnOrigin(origin) ? "same-origin" : "other-origin"
}

/**
 * Tells whether a form may come from a page of the web application, for forms that have no session to carry a token of.
 * Its pages are at `AUTH_URL` and at the hosts of brands. A request without an initiator is let through: it is not from
 * a browser, so it has no cookies to abuse.
 */
export const fromOurPages = Effect.gen(function*() {
  const { authUrl } = yield* AppConfig
  const brands = yield* Brands
  const { origin: ours, protocol } = new URL(authUrl)

  return ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
    initiatorOf(headers, (origin) => origin === ours || origin === originAt(headers["host"])) !== "other-origin"

  /** Origin that browsers have at this host, if it is a brand's; compared and never told. */
  function originAt(host: string | undefined): string | undefined {
    const address = `${protocol}//${host}`
    return brands.isHost(host) && URL.canParse(address) ? new URL(address).origin : undefined
  }
})
