import { Duration, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Credential } from "../../domain/Credential.ts"
import type { Settings } from "../../foundation/config/AppConfig.ts"

type Where = Pick<Settings, "authUrl">

/** `__Host-` binds the cookie to this host and to https; a browser takes it on https only. */
export const cookieName = ({ authUrl }: Where): string => isSecure(authUrl) ? "__Host-slotkey" : "slotkey"

/** The session token of a request, if it has one. */
export const readCookie = (
  where: Where,
  request: HttpServerRequest.HttpServerRequest
): string | undefined => request.cookies[cookieName(where)]

/** The response that gives the browser its session. */
export const setCookie = (where: Where, token: Credential) => (response: HttpServerResponse.HttpServerResponse) =>
  HttpServerResponse.setCookieUnsafe(response, cookieName(where), Redacted.value(token), {
    ...attributes(where),
    // The server ends a session; the browser keeps the cookie for as long as browsers keep any.
    maxAge: Duration.days(400)
  })

/** The response that takes it away. */
export const expireCookie = (where: Where) => (response: HttpServerResponse.HttpServerResponse) =>
  HttpServerResponse.setCookieUnsafe(response, cookieName(where), "", { ...attributes(where), maxAge: Duration.zero })

const isSecure = (authUrl: string) => authUrl.startsWith("https:")

const attributes = ({ authUrl }: Where) =>
  ({ httpOnly: true, secure: isSecure(authUrl), sameSite: "lax", path: "/" }) as const
