import { Context, Effect, Layer, Option } from "effect"
import { ClientRegistry } from "../clients/ClientRegistry.ts"
import type { TemporarilyUnavailable } from "../domain/OAuthError.ts"
import { AccessTokens, type VerifiedToken } from "./AccessTokens.ts"
import { InvalidToken } from "./BearerError.ts"
import { Grants } from "./Grants.ts"

/** On whose behalf, by which client and with which scopes a call is made. */
export type Principal = VerifiedToken

/** The server's own check of an access token: a revocation counts from the next request on. */
export class AccessCheck extends Context.Service<AccessCheck, {
  /** Whose call it is: the signature holds, the grant lives, and the client may be used. */
  check(bearer: string): Effect.Effect<Principal, InvalidToken | TemporarilyUnavailable>
}>()("slotkey/tokens/AccessCheck") {
  static readonly layer: Layer.Layer<AccessCheck, never, AccessTokens | ClientRegistry | Grants> = Layer.effect(
    AccessCheck,
    Effect.gen(function*() {
      const accessTokens = yield* AccessTokens
      const clients = yield* ClientRegistry
      const grants = yield* Grants

      const check = Effect.fnUntraced(function*(bearer: string) {
        const token = yield* accessTokens.verify(bearer)
        const [grant, client] = yield* Effect.all(
          [grants.isLive(token.grantId), clients.lookUp(token.clientId)],
          { concurrency: 2 }
        )
        if (Option.isNone(grant)) return yield* new InvalidToken({ reason: "the grant has ended" })
        if (Option.isNone(client) || client.value.status !== "approved") {
          return yield* new InvalidToken({ reason: "the client cannot be used" })
        }
        return token
      })

      return AccessCheck.of({ check })
    })
  )
}
