import { Context, Effect, Layer, Option, Result } from "effect"
import type { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import type { TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import type { ClientStanding } from "../clients/records/Client.ts"
import { GrantRevocation } from "../grants/GrantRevocation.ts"
import { Grants } from "../grants/Grants.ts"
import { AccessTokens } from "./AccessTokens.ts"
import * as RefreshToken from "./RefreshToken.ts"
import { RefreshTokens } from "./RefreshTokens.ts"
import { UnknownTokens } from "./UnknownTokens.ts"

/** Token revocation (RFC 7009): a client ends the grant of one of its tokens. */
export class Revocation extends Context.Service<Revocation, {
  /**
   * Ends the grant of the token, if it belongs to this authenticated client. Any other token is ignored without an
   * error (RFC 7009 §2.1, §2.2).
   */
  revoke(
    client: ClientStanding,
    token: string,
    address: string
  ): Effect.Effect<void, TemporarilyUnavailable | TooManyAttempts>
}>()("slotkey/core/tokens/Revocation") {
  static readonly layer = Layer.effect(
    Revocation,
    Effect.gen(function*() {
      const accessTokens = yield* AccessTokens
      const revocations = yield* GrantRevocation
      const grants = yield* Grants
      const refreshTokens = yield* RefreshTokens
      const unknownTokens = yield* UnknownTokens

      // A token that the previous server still knows would else become a grant when it is next presented.
      const adopt = Effect.fnUntraced(function*(client: ClientStanding, text: string, address: string) {
        if (unknownTokens === undefined) return undefined
        return Result.getOrElse(yield* unknownTokens.adopt(client, text, address), () => undefined)
      })

      const revoke = Effect.fn("Revocation.revoke")(function*(client: ClientStanding, text: string, address: string) {
        const known = Option.getOrUndefined(yield* refreshTokens.identify(client, text))
        const accessToken = known ?? Option.getOrUndefined(yield* Effect.option(accessTokens.verify(text)))
        const refreshToken = known ?? (accessToken === undefined ? yield* adopt(client, text, address) : undefined)
        const grantId = refreshToken?.grantId ?? accessToken?.grantId
        if (grantId === undefined) return
        const grant = Option.getOrUndefined(yield* grants.findLive(grantId))
        if (grant === undefined || grant.clientId !== client.id) return
        if (refreshToken !== undefined && !RefreshToken.belongs(refreshToken, grant)) return
        yield* revocations.revoke({ ...grant, grantId }, "grant.revoked")
      })

      return Revocation.of({ revoke })
    })
  )
}
