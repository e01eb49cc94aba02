import { Context, Effect, Layer } from "effect"
import type { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import { FirstUses } from "../grants/FirstUses.ts"
import { Grants } from "../grants/Grants.ts"
import { AccessTokens, type VerifiedToken } from "./AccessTokens.ts"
import { InvalidToken } from "./InvalidToken.ts"

/** The user, the client and the scopes of a call. */
export type Principal = Omit<VerifiedToken, "generation">

/**
 * The server's own check of an access token: unlike an offline check it also asks whether the grant has ended, so a
 * revocation counts from the next call on. `Introspection` and the check of API calls (`doors/resource`) call it; a
 * program that uses the library provides a remote one instead. A token that passes shows that the app has received its
 * generation, which is noted once.
 */
export class AccessCheck extends Context.Service<AccessCheck, {
  /** Verifies the token, that its grant is live and that its client is approved. */
  check(bearer: string): Effect.Effect<Principal, InvalidToken | TemporarilyUnavailable>
}>()("slotkey/core/tokens/AccessCheck") {
  static readonly layer: Layer.Layer<AccessCheck, never, AccessTokens | FirstUses | Grants> = Layer.effect(
    AccessCheck,
    Effect.gen(function*() {
      const accessTokens = yield* AccessTokens
      const firstUses = yield* FirstUses
      const grants = yield* Grants

      const check = Effect.fnUntraced(function*(bearer: string) {
        const token = yield* accessTokens.verify(bearer)
        const { status, unusedGeneration } = yield* grants.statusOf(token.grantId)
        switch (status) {
          case "usable":
            if (token.generation > 0 && token.generation === unusedGeneration) {
              firstUses.note(token.grantId, token.generation)
            }
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
