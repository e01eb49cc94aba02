import { Effect, Option, Redacted } from "effect"
import * as client from "openid-client"
import type { Settings } from "../../../foundation/config/AppConfig.ts"
import { boundedFetch } from "../../../foundation/outbound/BoundedFetch.ts"
import { type ProviderUnavailable, unavailable } from "./ProviderFailure.ts"

/**
 * Asks the provider for its metadata, which must name the issuer of the settings (OpenID Connect Discovery 1.0 §4.3).
 * The caller limits the time.
 */
export const discover = (
  { oidcClientId, oidcClientSecret, oidcIssuer }: Pick<Settings, "oidcClientId" | "oidcClientSecret" | "oidcIssuer">
): Effect.Effect<client.Configuration, ProviderUnavailable> =>
  Effect.suspend(() => {
    // The settings require both with SIGN_IN `oidc`.
    const issuer = new URL(Option.getOrThrow(oidcIssuer))
    const clientId = Option.getOrThrow(oidcClientId)
    return Effect.tryPromise({
      try: (signal) =>
        client.discovery(issuer, clientId, undefined, authentication(oidcClientSecret), {
          [client.customFetch]: boundedFetch(signal),
          execute: [
            // Else the signature of an ID token that comes straight from the provider would not be looked at.
            client.enableNonRepudiationChecks,
            ...issuer.protocol === "http:" ? [client.allowInsecureRequests] : []
          ]
        }),
      catch: unavailable
    })
  })

const authentication = Option.match<client.ClientAuth, Redacted.Redacted>({
  onNone: () => client.None(),
  onSome: (secret) => {
    const inHeader = client.ClientSecretBasic(Redacted.value(secret))
    const inBody = client.ClientSecretPost(Redacted.value(secret))
    return (provider, ...request) => (takesBodyAlone(provider) ? inBody : inHeader)(provider, ...request)
  }
})

/**
 * Holds for a provider that names only the other of the two ways; the default is the header (OpenID Connect Discovery
 * 1.0 §3).
 */
const takesBodyAlone = ({ token_endpoint_auth_methods_supported: methods = [] }: client.ServerMetadata): boolean =>
  methods.includes("client_secret_post") && !methods.includes("client_secret_basic")
