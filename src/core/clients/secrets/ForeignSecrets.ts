import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Credential from "../../../domain/Credential.ts"
import type { SecretId } from "../../../domain/Ids.ts"
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
 * Tells whether a secret that came from the address is one of those under slow digests of other servers, waiting in the
 * `HashQueue`. At the first use the digest is replaced by ours, so that from then on the client is authenticated as
 * fast as any. `ClientAuthentication` asks behind the throttle.
 */
export const adoptForeignSecret = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* HashQueue

  const replace = ({ digest, id }: ForeignSecret, secret: string) =>
    sql`UPDATE client_secrets SET digest = ${Credential.digest(secret)}, foreign_digest = NULL,
        last_four = ${Credential.lastFour(secret)}, guessable = ${isShort(secret)}
      WHERE id = ${id} AND foreign_digest = ${digest}`

  return Effect.fn("ForeignSecrets.adopt")(
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
})
