import { Auth, type AuthConfig, customFetch } from "@auth/core"
import type { Settings } from "./settings.ts"

declare module "@auth/core/jwt" {
  interface JWT {
    accessToken?: string | undefined
    refreshToken?: string | undefined
  }
}

const config = ({ clientId, clientSecret, fetch, server, sessionSecret }: Settings): AuthConfig => ({
  basePath: "/api/auth",
  secret: sessionSecret,
  trustHost: true,
  providers: [{
    id: "slotkey",
    name: "Slotkey",
    type: "oauth",
    issuer: server,
    clientId,
    clientSecret,
    authorization: { url: `${server}/auth/oauth2/authorize`, params: { scope: "PROFILE_READ" } },
    token: `${server}/v2/auth/oauth2/token`,
    userinfo: `${server}/v2/auth/oauth2/userinfo`,
    checks: ["pkce", "state"],
    profile: ({ email, name, sub }) => ({ id: sub, email, name }),
    [customFetch]: fetch
  }],
  callbacks: {
    // The cookie of the session keeps the tokens, encrypted. `/api/auth/session` does not show them to the page.
    jwt: ({ account, token }) =>
      account ? { ...token, accessToken: account.access_token, refreshToken: account.refresh_token } : token
  }
})

/** Answers `/api/auth/*`: sign-in, callback, session, sign-out. */
export const authHandler = (settings: Settings) => {
  const auth = config(settings)
  return (request: Request): Promise<Response> => Auth(request, auth)
}
