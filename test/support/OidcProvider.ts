import { Effect, type Scope } from "effect"
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import Provider, { type ClientMetadata } from "oidc-provider"
import { listen } from "./Listening.ts"

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A user of the provider, with the claims about her. */
export interface User {
  readonly sub: string
  readonly [claim: string]: unknown
}

/**
 * A real OpenID Connect provider in this process. It shows a page with a button for the one user that it has at a time,
 * and a test may answer in its place at any path.
 */
export interface OidcProvider {
  readonly issuer: string
  /** Settings of a server that is its client. */
  readonly settings: Readonly<Record<string, string>>
  /** Paths that were asked for. */
  readonly asked: Array<string>
  /** User who signs in next. */
  user: User
  /** Answers at a path instead of the provider, until the next test. */
  readonly faults: Map<string, Answer>
  /** Makes the server at this address its client. */
  readonly register: (authUrl: string) => void
  /** Replaces the provider's key: the one before is published no more. */
  readonly rotateKey: Effect.Effect<void>
  /** A token of the provider with these claims beside its own issuer, audience and times. */
  readonly sign: (
    claims: JWTPayload,
    how?: { readonly alg?: string; readonly kid?: string; readonly withoutEnd?: boolean }
  ) => Promise<string>
}

export const clientId = "slotkey"
const clientSecret = "the secret of slotkey at its provider"

export const make: Effect.Effect<OidcProvider, never, Scope.Scope> = Effect.gen(function*() {
  let answer: Answer = (_, response) => void response.writeHead(503).end()
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "", issuer).pathname
    provider.asked.push(path)
    const fault = provider.faults.get(path)
    if (fault === undefined) answer(request, response)
    else fault(request, response)
  })
  const issuer = `http://localhost:${yield* listen(server)}`

  let key = yield* newKey
  let authUrl = "https://slotkey.test"
  const restart = () => {
    answer = serverOf(issuer, key.jwk, authUrl, () => provider.user)
  }
  const provider: OidcProvider = {
    issuer,
    settings: {
      SIGN_IN: "oidc",
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret
    },
    asked: [],
    user: {
      sub: "u-1",
      name: "Uma User",
      preferred_username: "uma",
      email: "uma@platform.example",
      email_verified: true
    },
    faults: new Map(),
    register: (url) => {
      authUrl = url
      restart()
    },
    rotateKey: Effect.gen(function*() {
      key = yield* newKey
      restart()
    }),
    sign: (claims, { alg = "ES256", kid = key.jwk.kid, withoutEnd = false } = {}) => {
      const token = new SignJWT({ iss: issuer, aud: clientId, ...claims })
        .setProtectedHeader({ alg, kid: kid ?? "" })
        .setIssuedAt(claims.iat)
      return (withoutEnd ? token : token.setExpirationTime(claims.exp ?? "2 minutes")).sign(key.privateKey)
    }
  }
  restart()
  return provider
})

const newKey = Effect.promise(async (): Promise<{ readonly privateKey: CryptoKey; readonly jwk: JWK }> => {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true })
  return { privateKey, jwk: { ...await exportJWK(privateKey), alg: "ES256", use: "sig", kid: crypto.randomUUID() } }
})

const serverOf = (issuer: string, jwk: JWK, authUrl: string, user: () => User): Answer => {
  const client: ClientMetadata = {
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [`${authUrl}/sign-in/oidc/callback`],
    backchannel_logout_uri: `${authUrl}/sign-in/oidc/back-channel-logout`,
    backchannel_logout_session_required: true,
    id_token_signed_response_alg: "ES256"
  }
  const provider = new Provider(issuer, {
    clients: [client],
    jwks: { keys: [jwk] },
    cookies: { keys: ["a key of cookies"] },
    claims: {
      profile: ["name", "preferred_username", "locale", "zoneinfo", "groups", "org"],
      email: ["email", "email_verified"]
    },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => user() }),
    // The platform trusts its own server, so nobody is asked whether it may sign people in.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId ?? "" })
      grant.addOIDCScope("openid profile email")
      await grant.save()
      return grant
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { Session: 3_600, Grant: 3_600, Interaction: 3_600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 }
  })
  const handle = provider.callback()
  return (request, response) => {
    if (request.url?.startsWith("/interaction/") !== true) return void handle(request, response)
    if (request.method === "POST") {
      return void provider.interactionFinished(request, response, { login: { accountId: user().sub } })
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(
      `<!doctype html><html lang="en"><title>The platform</title><main><h1>The platform</h1>
<form method="post" action="${request.url}"><button>Sign in as ${user().sub}</button></form></main></html>`
    )
  }
}
