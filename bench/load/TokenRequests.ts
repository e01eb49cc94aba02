import { clientId, clientSecret, code, codeVerifier, redirectUri } from "../Population.ts"

/** Exchanges a code of the population (RFC 6749 §4.1.3), with the verifier of its challenge if it has one. */
export const exchange = (client: number, n: number, pkce = false): string =>
  post("/v2/auth/oauth2/token", client, {
    grant_type: "authorization_code",
    code: code(n),
    redirect_uri: redirectUri,
    ...(pkce ? { code_verifier: codeVerifier } : {})
  })

/** Exchanges a refresh token for its successor (RFC 6749 §6). */
export const refresh = (client: number, refreshToken: string): string =>
  post("/v2/auth/oauth2/token", client, { grant_type: "refresh_token", refresh_token: refreshToken })

/** Asks about an access token, as the client that holds it (RFC 7662 §2.1). */
export const introspect = (client: number, token: string): string =>
  post("/v2/auth/oauth2/introspect", client, { token, token_type_hint: "access_token" })

/** Asks the server itself whether an access token is valid (specification §4.4). */
export const check = (accessToken: string): string =>
  `GET /v2/me HTTP/1.1\r\nHost: slotkey.test\r\nAuthorization: Bearer ${accessToken}\r\n\r\n`

/** Asks whether a call of the API may pass, as nginx does for each of them (docs/gateway.md). */
export const gateway = (accessToken: string): string =>
  `GET /v2/auth/oauth2/check/nginx HTTP/1.1\r\nHost: slotkey.test\r\nAuthorization: Bearer ${accessToken}\r\n` +
  `X-Original-Method: GET\r\nX-Original-URI: /v2/bookings/bk_4711/attendees?take=10\r\n\r\n`

// Client authentication by client_secret_post, the form that the specification shows (§4.2).
const post = (path: string, client: number, parameters: Readonly<Record<string, string>>): string => {
  // Identifiers, secrets, codes and tokens consist of characters that form encoding leaves as they are.
  let form = `client_id=${clientId(client)}&client_secret=${clientSecret(client)}`
  for (const name in parameters) form += `&${name}=${encodeURIComponent(parameters[name] ?? "")}`
  return `POST ${path} HTTP/1.1\r\nHost: slotkey.test\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
    `Content-Length: ${form.length}\r\n\r\n${form}`
}
