import { randomBytes } from "node:crypto"
import { authorizationPath } from "../../core/consent/AuthorizationRequest.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ClientId } from "../../domain/Ids.ts"
import * as Pkce from "../../domain/Pkce.ts"
import type { Scope } from "../../domain/scopes/Scope.ts"
import type { Settings } from "../../foundation/config/AppConfig.ts"

/** An authorization request that waits for its response. An app keeps it on its server; the playground, in a cookie. */
interface Attempt {
  readonly app: ClientId
  readonly state: string
  readonly verifier: string
}

type Addresses = Pick<Settings, "authUrl">

export const callbackPath = "/playground/callback"
export const callbackUrl = ({ authUrl }: Addresses): string => `${authUrl}${callbackPath}`

export const newAttempt = (app: ClientId): Attempt => ({
  app,
  state: randomBytes(16).toString("base64url"),
  verifier: randomBytes(32).toString("base64url")
})

/** Parameters of the authorization URL, each with its meaning for the reader. */
export const authorizationParameters = (
  { format }: Catalogue,
  config: Addresses,
  { app, state, verifier }: Attempt,
  scopes: ReadonlyArray<Scope>
): ReadonlyArray<readonly [name: string, value: string, meaning: string]> => [
  ["response_type", "code", "the app wants a code"],
  ["client_id", app, "which app asks"],
  ["redirect_uri", callbackUrl(config), "where the user comes back to: one of the app's registered addresses"],
  ["scope", format(scopes), "what the app wants to be allowed"],
  ["state", state, "random; comes back unchanged, so that nobody can slip the app a code of their own"],
  [
    "code_challenge",
    Pkce.challengeOf(verifier),
    "the hash of a secret that only this app knows (PKCE)"
  ],
  ["code_challenge_method", "S256", "how the hash was made"],
  ["prompt", "consent", "ask even when the user has allowed it before"]
]

export const authorizationUrl = (
  { authUrl }: Addresses,
  parameters: ReadonlyArray<readonly [string, string, string]>
) =>
  `${authUrl}${authorizationPath}?${
    parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")
  }`
