import { Context, Effect, Layer } from "effect"
import type { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import { Grants } from "../grants/Grants.ts"
import { AccessTokens, type VerifiedToken } from "./AccessTokens.ts"
import { InvalidToken } from "./InvalidToken.ts"

/** On whose behalf, by which client and with which scopes a call is made. */
export type Principal = VerifiedToken

/** The server's own check of an access token: a revocation counts from the next request on. */
export class AccessCheck extends Context.Service<AccessCheck, {
  /** Whose call it is: the signature holds, the grant lives, and the client may be used. */
  check(bearer: string): Effect.Effect<Principal, InvalidToken | TemporarilyUnavailable>
}>()("slotkey/core/tokens/AccessCheck") {
  static readonly layer: Layer.Layer<AccessCheck, never, AccessTokens | Grants> = Layer.effect(
    AccessCheck,
    Effect.gen(function*() {
      const accessTokens = yield* AccessTokens
      const grants = yield* Grants

      const check = Effect.fnUntraced(function*(bearer: string) {
        const token = yield* accessTokens.verify(bearer)
        switch (yield* grants.statusOf(token.grantId)) {
          case "usable":
            return token
          case "client-not-approved":
            return yield* new InvalidToken({ reason: "the client cannot be used" })
          case "ended":
            return yield* new InvalidToken({ reason: "the grant has ended" })
        }
      })

      return AccessCheck.of({ check })
    })
  )
}
