import { Context, Effect, Layer } from "effect"
import { ClientRegistry } from "../clients/ClientRegistry.ts"
import * as Mailbox from "../database/Mailbox.ts"
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

      const obstacle = yield* Mailbox.make({
        handle: (batch: Mailbox.Batch<VerifiedToken>) =>
          Effect.gen(function*() {
            const [live, known] = yield* Effect.all([
              grants.liveAmong(batch.map(({ grantId }) => grantId)),
              clients.standings(batch.map(({ clientId }) => clientId))
            ], { concurrency: 2 })
            return batch.map(({ clientId, grantId }) => {
              if (!live.has(grantId)) return "the grant has ended"
              return known.get(clientId)?.status === "approved" ? undefined : "the client cannot be used"
            })
          })
      })

      const check = Effect.fnUntraced(function*(bearer: string) {
        const token = yield* accessTokens.verify(bearer)
        const reason = yield* obstacle(token)
        return reason === undefined ? token : yield* new InvalidToken({ reason })
      })

      return AccessCheck.of({ check })
    })
  )
}
