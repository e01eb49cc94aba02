import { once } from "node:events"
import { createServer } from "node:http"
import { mock } from "node:test"
import Provider from "oidc-provider"
import { exportJWK, generateKeyPair } from "jose"
import { makeApp } from "./app.mjs"

export const start = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const issuer = `http://127.0.0.1:${server.address().port}`
  const [clientId, clientSecret] = ["app", "the secret of the app"]
  const { privateKey } = await generateKeyPair("ES256", { extractable: true })
  const provider = new Provider(issuer, {
    clients: [{
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: ["https://app.example/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "client_secret_post",
      id_token_signed_response_alg: "ES256"
    }],
    jwks: { keys: [await exportJWK(privateKey)] },
    cookies: { keys: ["a key of cookies"] },
    scopes: ["openid", "BOOKING_READ", "PROFILE_READ"],
    features: { devInteractions: { enabled: false }, introspection: { enabled: true }, revocation: { enabled: true } },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    ttl: {
      AccessToken: 1_800,
      AuthorizationCode: 60,
      Grant: 86_400,
      IdToken: 1_800,
      Interaction: 600,
      RefreshToken: 86_400,
      Session: 86_400
    }
  })

  // The pages for the user: signs in, and allows or denies what is asked.
  let decision = "allow"
  const interact = async (request, response) => {
    const { params, prompt, session } = await provider.interactionDetails(request, response)
    if (prompt.name === "login") {
      return provider.interactionFinished(request, response, { login: { accountId: "user-1" } })
    }
    if (decision === "deny") return provider.interactionFinished(request, response, { error: "access_denied" })
    const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
    grant.addOIDCScope(params.scope)
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }
  const handle = provider.callback()
  server.on("request", (request, response) => {
    if (request.url.startsWith("/interaction/")) void interact(request, response)
    else handle(request, response)
  })

  // A browser that keeps cookies, until it is sent back to the app.
  const visit = async (url) => {
    const cookies = new Map()
    let location = url
    while (location.startsWith(issuer)) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const response = await fetch(location, { headers: { cookie }, redirect: "manual" })
      for (const set of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)
        cookies.set(name, value)
      }
      location = new URL(response.headers.get("location"), issuer).href
    }
    return location
  }

  const metadata = `${issuer}/.well-known/openid-configuration`
  const app = await makeApp({ metadata, clientId, clientSecret })
  return {
    ...app,
    metadata,
    clientId,
    clientSecret,
    authorize: async (asking) => {
      decision = asking.decision ?? "allow"
      const begun = app.begin(asking.scopes)
      return app.end(begun, await visit(begun.url))
    },
    advance: (milliseconds) => {
      mock.timers.enable({ apis: ["Date"], now: Date.now() + milliseconds })
    },
    stop: async () => {
      mock.timers.reset()
      server.closeAllConnections()
      server.close()
    }
  }
}
