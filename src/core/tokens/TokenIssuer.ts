import { Context, Effect, Layer, Metric } from "effect"
import type { InvalidGrant, InvalidScope, InvalidTarget, UnauthorizedClient } from "../../domain/OAuthError.ts"
import type { AuthenticationAttempt, Unauthenticated } from "../clients/secrets/ClientAuthentication.ts"
import { codeExchange, type Exchange } from "./CodeExchange.ts"
import { codeReplays, graceReplays, thefts } from "./TokenMetrics.ts"
import { type Refresh, tokenRefresh } from "./TokenRefresh.ts"
import type { TokenResponse } from "./TokenResponse.ts"

/**
 * Issues and replaces tokens; the token endpoint calls it. A valid request takes one statement, which authenticates the
 * client as well. When that statement did nothing, the client is authenticated separately before anything else happens:
 * a client that has not authenticated learns nothing and ends nothing.
 */
export class TokenIssuer extends Context.Service<TokenIssuer, {
  /** Exchanges a code for tokens. */
  exchange(
    attempt: AuthenticationAttempt,
    request: Exchange
  ): Effect.Effect<TokenResponse, Unauthenticated | InvalidGrant | InvalidTarget | UnauthorizedClient>
  /** Replaces a refresh token, and issues an access token with the same or fewer scopes. */
  refresh(
    attempt: AuthenticationAttempt,
    request: Refresh
  ): Effect.Effect<TokenResponse, Unauthenticated | InvalidGrant | InvalidScope | InvalidTarget | UnauthorizedClient>
}>()("slotkey/core/tokens/TokenIssuer") {
  static readonly layer = Layer.effect(
    TokenIssuer,
    Effect.gen(function*() {
      // Read once, so that they are there with 0.
      yield* Effect.forEach([codeReplays, graceReplays, thefts], Metric.value)
      return TokenIssuer.of({ exchange: yield* codeExchange, refresh: yield* tokenRefresh })
    })
  )
}
