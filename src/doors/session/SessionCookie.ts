import { Duration, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Credential } from "../../domain/Credential.ts"
import type { Settings } from "../../foundation/config/AppConfig.ts"
import { cookiePrefix } from "../../foundation/web/PublicPath.ts"

type Addresses = Pick<Settings, "authUrl">

export const cookieName = (config: Addresses): string => `${cookiePrefix(config)}slotkey`

/** Session token of a request, if it has one. */
export const readCookie = (
  config: Addresses,
  request: HttpServerRequest.HttpServerRequest
): string | undefined => request.cookies[cookieName(config)]

export const setCookie = (config: Addresses, token: Credential) => (response: HttpServerResponse.HttpServerResponse) =>
  HttpServerResponse.setCookieUnsafe(response, cookieName(config), Redacted.value(token), {
    ...attributes(config),
    // Longest time that browsers keep a cookie: the server decides when a session ends.
    maxAge: Duration.days(400)
  })

export const expireCookie = (config: Addresses) => (response: HttpServerResponse.HttpServerResponse) =>
  HttpServerResponse.setCookieUnsafe(response, cookieName(config), "", { ...attributes(config), maxAge: Duration.zero })

const attributes = ({ authUrl }: Addresses) =>
  ({ httpOnly: true, secure: authUrl.startsWith("https:"), sameSite: "lax", path: "/" }) as const
