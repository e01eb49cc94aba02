import { DateTime, Duration, Effect } from "effect"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { accessTokenLifetime } from "../keys/AccessTokenLifetime.ts"
import type { AccessToken } from "./AccessToken.ts"
import { AccessTokens } from "./AccessTokens.ts"
import type { RefreshToken } from "./RefreshToken.ts"
import { RefreshTokens } from "./RefreshTokens.ts"
import type { TokenResponse } from "./TokenResponse.ts"

/** Ends of the grant for which tokens are issued. */
export interface GrantEnds {
  /** When it ends, however often it is refreshed. */
  readonly expiresAt: DateTime.Utc
  /** When it ends unless it is refreshed again, which is no later. */
  readonly endsAt: DateTime.Utc
}

/**
 * Makes an access token issued at `from`, and a refresh token under the key of `at`. No access token outlives its
 * grant: those who verify it offline have nothing but its `exp`.
 */
export const issueTokens = Effect.gen(function*() {
  const { format } = yield* Catalogue
  const accessTokens = yield* AccessTokens
  const refreshTokens = yield* RefreshTokens
  return (
    access: AccessToken,
    from: DateTime.Utc,
    refresh: RefreshToken,
    at: DateTime.Utc,
    { endsAt, expiresAt }: GrantEnds
  ): TokenResponse => {
    const secondsUntil = (end: DateTime.Utc) =>
      Math.max(0, Math.floor((DateTime.toEpochMillis(end) - DateTime.toEpochMillis(from)) / 1000))
    const left = secondsUntil(expiresAt)
    const lifetime = Math.min(lifetimeSeconds, left)
    return {
      access_token: accessTokens.write(access, from, lifetime),
      refresh_token: refreshTokens.write(refresh, at),
      token_type: "bearer",
      expires_in: lifetime,
      refresh_token_timeout: secondsUntil(endsAt),
      authorization_expires_in: left,
      scope: format(access.scopes ?? [])
    }
  }
})

const lifetimeSeconds = Duration.toSeconds(accessTokenLifetime)
