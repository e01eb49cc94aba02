import { encode, getToken, type JWT } from "@auth/core/jwt"
import type { Settings } from "./settings.ts"

const maxAge = 30 * 24 * 60 * 60

/** Answers `/api/me` with the profile that Slotkey's API has of the signed-in user. */
export const profileHandler = (settings: Settings) => {
  const { sessionSecret: secret } = settings

  const call = ({ accessToken }: JWT) =>
    settings.fetch(`${settings.server}/v2/me`, {
      headers: { authorization: `Bearer ${accessToken}` },
      signal: timeout()
    })

  /** Session with new tokens, or the refusal. */
  const refresh = async (session: JWT): Promise<JWT | Response> => {
    const response = await settings.fetch(`${settings.server}/v2/auth/oauth2/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${settings.clientId}:${settings.clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: session.refreshToken ?? "" }),
      signal: timeout()
    })
    if (!response.ok) return response
    const { access_token, refresh_token } = await response.json()
    return { ...session, accessToken: access_token, refreshToken: refresh_token }
  }

  return async (request: Request): Promise<Response> => {
    // Auth.js names its cookie by the scheme of the address, too.
    const secureCookie = new URL(request.url).protocol === "https:"
    const cookie = secureCookie ? "__Secure-authjs.session-token" : "authjs.session-token"
    const attributes = `Path=/; HttpOnly; SameSite=Lax${secureCookie ? "; Secure" : ""}`
    const setCookie = (value: string, maxAge: number) => ({
      "set-cookie": `${cookie}=${value}; Max-Age=${maxAge}; ${attributes}`
    })
    const session = await getToken({ req: request, secret, secureCookie })
    if (session === null) return Response.json({ error: "Sign in first." }, { status: 401 })
    const first = await call(session)
    if (first.status !== 401) return passOn(first)
    // An access token lasts for half an hour.
    const renewed = await refresh(session)
    if (renewed instanceof Response) {
      // Whatever else is wrong may pass, and the tokens are still good then.
      return renewed.status === 400
        ? Response.json({ error: "Sign in again." }, { status: 401, headers: setCookie("", 0) })
        : Response.json({ error: "Try again later." }, { status: 503 })
    }
    const value = await encode({ token: renewed, secret, salt: cookie, maxAge })
    return passOn(await call(renewed), setCookie(value, maxAge))
  }
}

const timeout = () => AbortSignal.timeout(5_000)

const passOn = async (response: Response, headers: Record<string, string> = {}) =>
  Response.json(await response.json(), { status: response.status, headers })
