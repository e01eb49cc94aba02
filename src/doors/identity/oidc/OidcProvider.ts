import { DateTime, Duration, Effect, Option } from "effect"
import { createRemoteJWKSet, customFetch, type JWTPayload, type JWTVerifyGetKey } from "jose"
import * as client from "openid-client"
import { cachedFor } from "../../../domain/CachedFor.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import * as OncePerMinute from "../../../foundation/log/OncePerMinute.ts"
import { boundedFetch } from "../../../foundation/outbound/BoundedFetch.ts"
import type { SignInRequest } from "../../session/SignInMethods.ts"
import { discover } from "./Discovery.ts"
import { readLogoutToken } from "./LogoutToken.ts"
import type { PendingSignIn } from "./PendingSignIns.ts"
import { explainAnswer, explainToken, ProviderUnavailable, refusedUserInfo } from "./ProviderFailure.ts"

/** Wishes about a sign-in that the provider's page gets (OpenID Connect Core 1.0 §3.1.2.1). */
type Wishes = Pick<SignInRequest, "prompt" | "loginHint" | "uiLocales">

/** Claims about a user, of the ID token and of UserInfo together. */
export type Claims = JWTPayload & { readonly iss: string; readonly sub: string }

/**
 * OpenID Connect provider of the platform, with this server as its client. It is asked when somebody signs in, and
 * never before: the server starts without it, and users who are signed in and apps that have a grant do not need it.
 */
export const make = Effect.gen(function*() {
  const config = yield* AppConfig
  const { authUrl, oidcClientId, oidcIssuer, oidcScopes, requestTimeout } = config
  // The settings require both with SIGN_IN `oidc`.
  const issuer = new URL(Option.getOrThrow(oidcIssuer))
  const clientId = Option.getOrThrow(oidcClientId)
  const redirectUri = `${authUrl}${callbackPath}`
  const scope = [...new Set(["openid", ...oidcScopes])].join(" ")

  // The page that says so is sent before the request itself takes too long.
  const inTime = Effect.timeoutOrElse({
    duration: Duration.min(longest, Duration.times(requestTimeout, 0.8)),
    orElse: () => Effect.fail(new ProviderUnavailable({ reason: "it did not answer in time" }))
  })

  const discovered = discover(config)

  // Spares the provider when somebody plays with the sign-in page, also while it is down.
  const succeeded = yield* cachedFor(
    discovered.pipe(
      Effect.flatMap((provider) => Effect.map(keysOf(provider), (keys) => ({ provider, keys }))),
      inTime
    ),
    "1 minute"
  )
  const recent = Effect.flatMap(yield* cachedFor(Effect.result(succeeded), "1 second"), Effect.fromResult)

  /** Address at which the browser signs in. */
  const authorizationUrl = Effect.fn("OidcProvider.authorizationUrl")(
    function*({ nonce, state, verifier }: PendingSignIn, { loginHint, prompt: wanted, uiLocales }: Wishes) {
      const { provider } = yield* recent
      const prompt = known(wanted, provider.serverMetadata())
      const challenge = yield* Effect.promise(() => client.calculatePKCECodeChallenge(verifier))
      return client.buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: "S256",
        ...prompt === undefined ? {} : { prompt },
        // The ID token then says when the user was asked: the browser may have taken `prompt` out of the address.
        ...prompt?.split(" ").includes("login") === true ? { max_age: "0" } : {},
        ...loginHint === undefined ? {} : { login_hint: loginHint },
        ...uiLocales === undefined ? {} : { ui_locales: uiLocales }
      })
    }
  )

  const reportUserInfo = yield* OncePerMinute.make((reason, count) =>
    Effect.logWarning("UserInfo of the OpenID Connect provider is left out", { reason, count })
  )

  /**
   * Claims of UserInfo, in which providers may keep the profile (OpenID Connect Core 1.0 §5.4); none without an answer.
   */
  const userInfo = Effect.fnUntraced(function*(provider: client.Configuration, accessToken: string, subject: string) {
    if (provider.serverMetadata().userinfo_endpoint === undefined) return {}
    return yield* Effect.tryPromise({
      try: (signal) => {
        provider[client.customFetch] = boundedFetch(signal)
        return client.fetchUserInfo(provider, accessToken, subject)
      },
      catch: (failure) => ({ failure, reason: refusedUserInfo(failure) })
    }).pipe(
      Effect.catch(({ failure, reason }) =>
        reason === undefined ? Effect.fail(explainAnswer(failure)) : Effect.as(reportUserInfo(reason), {})
      )
    )
  })

  /** Claims about the user with whom the provider has sent the browser back to the address `answer`. */
  const redeem = Effect.fn("OidcProvider.redeem")(
    function*(answer: URL, { nonce, state, verifier }: PendingSignIn) {
      // Asked again with its keys: one that was replaced a moment ago neither fails a sign-in nor counts any more.
      const provider = yield* discovered
      const { accessToken, claims } = yield* Effect.tryPromise({
        try: async (signal) => {
          provider[client.customFetch] = boundedFetch(signal)
          const tokens = await client.authorizationCodeGrant(provider, answer, {
            expectedNonce: nonce,
            expectedState: state,
            pkceCodeVerifier: verifier,
            idTokenExpected: true
          })
          const claims = tokens.claims()
          if (claims === undefined) throw new TypeError("there is no ID token")
          return { accessToken: tokens.access_token, claims }
        },
        catch: explainAnswer
      })
      return { ...yield* userInfo(provider, accessToken, claims.sub), ...claims }
    },
    inTime
  )

  /** Message of a logout token that is the provider's, of now, and for this server. */
  const readToken = Effect.fn("OidcProvider.readLogoutToken")(function*(token: string) {
    const { keys, provider } = yield* recent
    const now = DateTime.toDateUtc(yield* DateTime.now)
    const { id_token_signing_alg_values_supported: algorithms, issuer } = provider.serverMetadata()
    return yield* Effect.tryPromise({
      try: () => readLogoutToken(token, { issuer, audience: clientId, algorithms, keys, now }),
      catch: explainToken
    })
  }, inTime)

  // People know the provider by the host of its issuer.
  return { host: issuer.host, authorizationUrl, redeem, readLogoutToken: readToken }
})

/** Prompt for a provider that says which it knows: asking the user again lets them choose an account, too. */
const known = (
  prompt: string | undefined,
  { prompt_values_supported: values }: client.ServerMetadata
): string | undefined =>
  Array.isArray(values) && !values.includes("select_account") ? prompt?.replace(/.*select_account.*/, "login") : prompt

/** Path to which the provider sends the browser back. */
export const callbackPath = "/sign-in/oidc/callback"

/** Longest time that the provider may take for all that one request needs of it. */
const longest = Duration.seconds(5)

/** Keys for tokens that come without being asked for. A flood of them has the keys fetched once a second at most. */
const keysOf = (provider: client.Configuration): Effect.Effect<JWTVerifyGetKey, ProviderUnavailable> => {
  const { issuer, jwks_uri: uri } = provider.serverMetadata()
  return uri === undefined || (issuer.startsWith("https:") && !uri.startsWith("https:"))
    ? Effect.fail(new ProviderUnavailable({ reason: "its metadata has no jwks_uri with https" }))
    : Effect.sync(() => createRemoteJWKSet(new URL(uri), { cooldownDuration: 1_000, [customFetch]: boundedFetch() }))
}
