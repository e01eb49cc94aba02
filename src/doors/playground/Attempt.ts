import { randomBytes } from "node:crypto"
import { playgroundCallback } from "../../core/clients/records/PlaygroundAddress.ts"
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

export const newAttempt = (app: ClientId): Attempt => ({
  app,
  state: randomBytes(16).toString("base64url"),
  verifier: randomBytes(32).toString("base64url")
})

type Parameters = ReadonlyArray<readonly [name: Parameter, value: string]>

export type Parameter =
  | "response_type"
  | "client_id"
  | "redirect_uri"
  | "scope"
  | "state"
  | "code_challenge"
  | "code_challenge_method"
  | "prompt"

/** Parameters of the authorization URL. */
export const authorizationParameters = (
  { format }: Catalogue,
  config: Addresses,
  { app, state, verifier }: Attempt,
  scopes: ReadonlyArray<Scope>
): Parameters => [
  ["response_type", "code"],
  ["client_id", app],
  ["redirect_uri", playgroundCallback(config)],
  ["scope", format(scopes)],
  ["state", state],
  ["code_challenge", Pkce.challengeOf(verifier)],
  ["code_challenge_method", "S256"],
  ["prompt", "consent"]
]

export const authorizationUrl = ({ authUrl }: Addresses, parameters: Parameters) =>
  `${authUrl}${authorizationPath}?${
    parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")
  }`
