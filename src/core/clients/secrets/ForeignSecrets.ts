import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Credential from "../../../domain/Credential.ts"
import type { SecretId } from "../../../domain/Ids.ts"
import type { TemporarilyUnavailable } from "../../../domain/OAuthError.ts"
import { CallerAddress } from "../../limits/CallerAddress.ts"
import { HashQueue } from "../../limits/HashQueue.ts"
import { verify } from "./ForeignDigest.ts"
import { isShort } from "./SecretInfo.ts"

/** A secret that was imported under the digest of another server and has not been used here yet. */
export interface ForeignSecret {
  readonly id: SecretId
  readonly digest: string
}

/**
 * Verifies secrets under slow digests of other servers and replaces those by ours at the first use, so that from then
 * on the client is authenticated as fast as any. `ClientAuthentication` asks it behind the throttle.
 */
export class ForeignSecrets extends Context.Service<ForeignSecrets, {
  /** Tells whether a secret that came from the address is one of these. Waits in the `HashQueue`. */
  adopt(
    candidates: ReadonlyArray<ForeignSecret>,
    secret: string,
    address: string
  ): Effect.Effect<boolean, TemporarilyUnavailable>
}>()("slotkey/core/clients/secrets/ForeignSecrets") {
  static readonly layer: Layer.Layer<ForeignSecrets, never, SqlClient.SqlClient> = Layer.effect(
    ForeignSecrets,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* HashQueue

      const replace = ({ digest, id }: ForeignSecret, secret: string) =>
        sql`UPDATE client_secrets SET digest = ${Credential.digest(secret)}, foreign_digest = NULL,
            last_four = ${Credential.lastFour(secret)}, guessable = ${isShort(secret)}
          WHERE id = ${id} AND foreign_digest = ${digest}`

      const adopt = Effect.fn("ForeignSecrets.adopt")(
        function*(candidates: ReadonlyArray<ForeignSecret>, secret: string, address: string) {
          for (const candidate of candidates) {
            const matches = yield* queue.run(() => verify(candidate.digest, secret)).pipe(
              Effect.provideService(CallerAddress, address)
            )
            if (!matches) continue
            yield* Effect.orDie(replace(candidate, secret))
            return true
          }
          return false
        }
      )

      return ForeignSecrets.of({ adopt })
    })
  ).pipe(Layer.provide(HashQueue.layer))
}
