import { type DateTime, Duration, Effect } from "effect"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { accessTokenLifetime } from "../keys/AccessTokenLifetime.ts"
import type { AccessToken } from "./AccessToken.ts"
import { AccessTokens } from "./AccessTokens.ts"
import type { RefreshToken } from "./RefreshToken.ts"
import { RefreshTokens } from "./RefreshTokens.ts"
import type { TokenResponse } from "./TokenResponse.ts"

/** Makes an access token issued at `from`, and a refresh token under the key of `at`. */
export const issueTokens = Effect.gen(function*() {
  const { format } = yield* Catalogue
  const accessTokens = yield* AccessTokens
  const refreshTokens = yield* RefreshTokens
  return (access: AccessToken, from: DateTime.Utc, refresh: RefreshToken, at: DateTime.Utc): TokenResponse => ({
    access_token: accessTokens.write(access, from),
    refresh_token: refreshTokens.write(refresh, at),
    token_type: "bearer",
    expires_in: Duration.toSeconds(accessTokenLifetime),
    scope: format(access.scopes ?? [])
  })
})
