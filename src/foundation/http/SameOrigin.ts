import type { HttpServerRequest } from "effect/http"
import { createHash, timingSafeEqual } from "node:crypto"
import type { Settings } from "../config/AppConfig.ts"

/** Whether the caller's text is the expected one; the time it takes tells nothing about either. */
export const sameText = (presented: string | undefined, expected: string): boolean =>
  presented !== undefined && timingSafeEqual(sha256(presented), sha256(expected))

/**
 * Whether a form may have been sent by a page of ours, for forms that have no session to carry a token of. A browser
 * tells where a form comes from in `Sec-Fetch-Site` or `Origin`; what sends neither is not a browser with cookies to
 * abuse.
 */
export const isFromOurPages = (
  { authUrl }: Pick<Settings, "authUrl">,
  request: HttpServerRequest.HttpServerRequest
): boolean => {
  const site = request.headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin" || site === "none"
  const origin = request.headers["origin"]
  return origin === undefined || origin === new URL(authUrl).origin
}

const sha256 = (text: string) => createHash("sha256").update(text).digest()
