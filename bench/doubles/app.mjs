import { createHash, randomBytes } from "node:crypto"

// The app whose tokens the suite tests with. It is what a team has in production, so it is no test code.

const redirectUri = "https://app.example/callback"

/** An app at the server with this metadata; `fetch` reaches that. */
export const makeApp = async ({ metadata, clientId, clientSecret, fetch = globalThis.fetch }) => {
  const server = await (await fetch(metadata)).json()

  const post = async (endpoint, fields) => {
    const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...fields })
    const response = await fetch(endpoint, { method: "POST", body })
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 200)}`)
    return text === "" ? {} : JSON.parse(text)
  }

  const tokens = async (fields) => {
    const { access_token, id_token, refresh_token, scope = "" } = await post(server.token_endpoint, fields)
    return { accessToken: access_token, idToken: id_token, refreshToken: refresh_token, scopes: scope.split(" ") }
  }

  return {
    /** Where the app sends the user, and what it keeps until the user comes back. */
    begin: (scopes) => {
      const codeVerifier = randomBytes(32).toString("base64url")
      const url = new URL(server.authorization_endpoint)
      url.search = new URLSearchParams({
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scopes.join(" "),
        state: randomBytes(16).toString("base64url"),
        code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
        code_challenge_method: "S256"
      })
      return { url: url.href, codeVerifier }
    },
    /** What the app reads from the address at which the user comes back. */
    end: ({ codeVerifier }, location) => {
      const { searchParams } = new URL(location)
      return { code: searchParams.get("code"), error: searchParams.get("error"), codeVerifier }
    },
    exchange: ({ code, codeVerifier }) =>
      tokens({ grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: codeVerifier }),
    refresh: ({ refreshToken }) => tokens({ grant_type: "refresh_token", refresh_token: refreshToken }),
    revoke: ({ refreshToken }) => post(server.revocation_endpoint, { token: refreshToken })
  }
}
