import { Effect, Option, Redacted } from "effect"
import * as client from "openid-client"
import type { Settings } from "../../../foundation/config/AppConfig.ts"
import { boundedFetch } from "./BoundedFetch.ts"
import { type ProviderUnavailable, unavailable } from "./ProviderFailure.ts"

/**
 * Asks the provider for its metadata, which must name the issuer of the settings (OpenID Connect Discovery 1.0 §4.3). The
 * caller limits the time.
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
  // The default of OpenID Connect (Dynamic Client Registration 1.0 §2, `token_endpoint_auth_method`).
  onSome: (secret) => client.ClientSecretBasic(Redacted.value(secret))
})
