import { Context, Effect, Layer, Option } from "effect"
import type { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import type { ClientStanding } from "../clients/Client.ts"
import { GrantRevocation } from "../grants/GrantRevocation.ts"
import { Grants } from "../grants/Grants.ts"
import { AccessTokens } from "./AccessTokens.ts"
import * as RefreshToken from "./RefreshToken.ts"
import { RefreshTokens } from "./RefreshTokens.ts"

/** Token revocation (RFC 7009): a client ends the grant of one of its tokens. */
export class Revocation extends Context.Service<Revocation, {
  /**
   * Ends the grant of the token, if it belongs to this authenticated client. Any other token is ignored without an
   * error (RFC 7009 §2.1, §2.2).
   */
  revoke(client: ClientStanding, token: string): Effect.Effect<void, TemporarilyUnavailable>
}>()("slotkey/core/tokens/Revocation") {
  static readonly layer: Layer.Layer<Revocation, never, AccessTokens | GrantRevocation | Grants | RefreshTokens> = Layer
    .effect(
      Revocation,
      Effect.gen(function*() {
        const accessTokens = yield* AccessTokens
        const revocations = yield* GrantRevocation
        const grants = yield* Grants
        const refreshTokens = yield* RefreshTokens

        const revoke = Effect.fn("Revocation.revoke")(function*(client: ClientStanding, text: string) {
          const refreshToken = Option.getOrUndefined(yield* refreshTokens.identify(client, text))
          const grantId = refreshToken?.grantId ??
            Option.getOrUndefined(yield* Effect.option(accessTokens.verify(text)))?.grantId
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
