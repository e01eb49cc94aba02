import { mock } from "node:test"
import { oauthProvider } from "@better-auth/oauth-provider"
import { betterAuth } from "better-auth"
import { memoryAdapter } from "better-auth/adapters/memory"
import { jwt, testUtils } from "better-auth/plugins"
import { makeApp } from "./app.mjs"

const baseURL = "https://auth.example"

export const start = async () => {
  const tables = ["user", "session", "account", "verification", "jwks"]
  const oauthTables = ["oauthClient", "oauthAccessToken", "oauthRefreshToken", "oauthConsent", "oauthResource"]
  const auth = betterAuth({
    baseURL,
    secret: "a secret of at least thirty-two characters",
    database: memoryAdapter(Object.fromEntries([...tables, ...oauthTables].map((table) => [table, []]))),
    plugins: [
      jwt({ jwks: { keyPairConfig: { alg: "ES256" } } }),
      oauthProvider({
        loginPage: "/sign-in",
        consentPage: "/consent",
        scopes: ["openid", "offline_access", "BOOKING_READ", "PROFILE_READ"],
        accessTokenExpiresIn: 1_800
      }),
      testUtils()
    ]
  })
  const fetch = (url, init) => auth.handler(new Request(url, init))

  const { test } = await auth.$context
  const signedIn = async () => (await test.login({ userId: (await test.saveUser(test.createUser())).id })).headers
  const { client_id: clientId, client_secret: clientSecret } = await auth.api.adminCreateOAuthClient({
    headers: await signedIn(),
    body: {
      redirect_uris: ["https://app.example/callback"],
      token_endpoint_auth_method: "client_secret_post",
      grant_types: ["authorization_code", "refresh_token"],
      scope: "openid offline_access BOOKING_READ PROFILE_READ"
    }
  })

  const metadata = `${baseURL}/api/auth/.well-known/openid-configuration`
  const app = await makeApp({ metadata, clientId, clientSecret, fetch })
  return {
    ...app,
    fetch,
    metadata,
    clientId,
    clientSecret,
    authorize: async ({ scopes, decision }) => {
      // It remembers what a user allowed, so each request comes from another.
      const headers = await signedIn()
      // Without this scope it issues no refresh token.
      const begun = app.begin([...scopes, "offline_access"])
      const asked = await fetch(begun.url, { headers })
      const location = new URL(asked.headers.get("location"), baseURL)
      if (location.pathname !== "/consent") return app.end(begun, location.href)
      const answer = await fetch(`${baseURL}/api/auth/oauth2/consent`, {
        method: "POST",
        headers: { cookie: headers.get("cookie"), "content-type": "application/json", origin: baseURL },
        body: JSON.stringify({ accept: decision !== "deny", oauth_query: location.search.slice(1) })
      })
      const { url } = await answer.json()
      return app.end(begun, url)
    },
    advance: (milliseconds) => {
      mock.timers.enable({ apis: ["Date"], now: Date.now() + milliseconds })
    },
    stop: async () => mock.timers.reset()
  }
}
