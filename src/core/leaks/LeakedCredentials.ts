import { Context, Effect, Layer, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import * as Credential from "../../domain/Credential.ts"
import type { ApiKeyId, ClientId, GrantId, SecretId, UserId } from "../../domain/Ids.ts"
import * as Column from "../../foundation/database/Column.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import { retryRolledBack } from "../../foundation/database/RetryRolledBack.ts"
import { CredentialNotice } from "../../foundation/jobs/kinds/CredentialNotice.ts"
import { Outbox } from "../../foundation/jobs/outbox/Outbox.ts"
import { ApiKeys } from "../accounts/people/ApiKeys.ts"
import { DynamicRegistration } from "../clients/dynamic/DynamicRegistration.ts"
import { InitialTokens } from "../clients/dynamic/InitialTokens.ts"
import { appAccess } from "../clients/records/AppAccess.ts"
import { SealedSecrets } from "../clients/secrets/SealedSecrets.ts"
import { GrantRevocation } from "../grants/GrantRevocation.ts"
import * as RefreshToken from "../tokens/RefreshToken.ts"
import { RefreshTokens } from "../tokens/RefreshTokens.ts"
import { type FoundCredential, kindOf, placeOf, sourceOf } from "./LeakReport.ts"

/**
 * Ends credentials of this server that were found in public. This room takes reports of them: who may send one, what it
 * says, and what follows. `doors/leaks` calls it.
 */
export class LeakedCredentials extends Context.Service<LeakedCredentials, {
  /**
   * Ends those that are credentials of this server and tells their owners; `by` is the actor of the trail. What is none
   * by prefix and checksum costs no statement, and the others are looked up by one.
   */
  end(found: ReadonlyArray<FoundCredential>, by: string): Effect.Effect<void>
}>()("slotkey/core/leaks/LeakedCredentials") {
  static readonly layer = Layer.effect(
    LeakedCredentials,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const plain = sql.withoutTransforms()
      const apiKeys = yield* ApiKeys
      const initialTokens = yield* InitialTokens
      const registrations = yield* DynamicRegistration
      const outbox = yield* Outbox
      const { peopleWho } = yield* appAccess
      const revocation = yield* GrantRevocation
      const secrets = yield* SealedSecrets
      const tokens = yield* RefreshTokens
      // One report at a time on each node, so that many of them cannot take all connections.
      const one = yield* Semaphore.make(1)

      /** Digests by which a credential is stored, with the grant of a refresh token that is genuine by its MAC. */
      const soughtOf = ({ token }: FoundCredential): Sought | undefined => {
        const kind = kindOf(token)
        if (kind !== "refreshToken") return kind && { digest: Credential.digest(token), grantId: null }
        const genuine = tokens.read(token)
        return genuine && { digest: RefreshToken.digest(genuine.handle), grantId: genuine.grantId }
      }

      const lookUp = (sought: ReadonlyArray<Sought>) =>
        retryRolledBack(
          plain<Known>`
            WITH sought AS (
              SELECT * FROM unnest(${sought.map(({ digest }) => digest)}::bytea[], ${
            Column.texts(sought.map(({ grantId }) => grantId))
          }) WITH ORDINALITY AS m (digest, grant_id, index)
            )
            SELECT m.index::int - 1 AS index, 'secret' AS kind, s.id, s.client_id AS "clientId", NULL AS "userId", NULL AS "ownerId",
                NULL AS "testOf"
              FROM sought m JOIN client_secrets s USING (digest) WHERE m.grant_id IS NULL
            UNION ALL SELECT m.index::int - 1, 'apiKey', k.id::text, NULL, k.user_id, NULL, NULL
              FROM sought m JOIN api_keys k USING (digest) WHERE m.grant_id IS NULL AND k.revoked_at IS NULL
            UNION ALL SELECT m.index::int - 1, 'grant', g.id::text, g.client_id, g.user_id, c.owner_id, c.test_of
              FROM sought m JOIN grants g ON g.id = m.grant_id::uuid JOIN clients c ON c.id = g.client_id
              WHERE g.handle_digest = m.digest AND g.revoked_at IS NULL
            UNION ALL SELECT m.index::int - 1, 'initialToken', t.id::text, NULL, NULL, NULL, NULL
              FROM sought m JOIN initial_tokens t USING (digest) WHERE m.grant_id IS NULL AND t.revoked_at IS NULL
            UNION ALL SELECT m.index::int - 1, 'registrationToken', NULL, r.client_id, NULL, NULL, NULL
              FROM sought m JOIN registrations r USING (digest) WHERE m.grant_id IS NULL`
        )

      const end = Effect.fn("LeakedCredentials.end")(function*(found: ReadonlyArray<FoundCredential>, by: string) {
        // The same credential is often found in many places.
        const distinct = new Map(found.map((one) => [one.token, one]))
        const candidates = [...distinct.values()].flatMap((one) => {
          const sought = soughtOf(one)
          return sought === undefined ? [] : [{ one, sought }]
        })
        if (candidates.length === 0) return
        const known = yield* lookUp(candidates.map(({ sought }) => sought))
        yield* Effect.forEach(known, (known) => {
          const candidate = candidates[known.index]
          return candidate === undefined ? Effect.void : endOne(known, candidate.one, by)
        }, { discard: true })
      })

      const endOne = (known: Known, found: FoundCredential, by: string): Effect.Effect<unknown> => {
        const place = { by, foundAt: placeOf(found), source: sourceOf(found) }
        switch (known.kind) {
          case "secret":
            return secrets.endLeaked({ clientId: known.clientId, secretId: known.id, ...place })
          case "apiKey":
            return apiKeys.endLeaked({ userId: known.userId, id: known.id, ...place })
          case "initialToken":
            return Effect.ignore(initialTokens.revoke(known.id, by))
          case "registrationToken":
            return registrations.endLeaked({ clientId: known.clientId, ...place })
          case "grant": {
            const { clientId, id, ownerId, testOf, userId } = known
            return revocation.revoke({ clientId, userId, grantId: id }, "refresh_token.leaked", by).pipe(
              Effect.andThen(peopleWho("secrets", { id: clientId, ownerId, testOf })),
              Effect.flatMap((people) =>
                outbox.publishAll(people.map((userId) =>
                  CredentialNotice.make({
                    userId,
                    event: "refresh_token.leaked",
                    clientId,
                    lastFour: [Credential.lastFour(found.token)],
                    by,
                    foundAt: place.foundAt
                  })
                ))
              ),
              inTransaction(sql)
            )
          }
        }
      }

      return LeakedCredentials.of({ end: (found, by) => one.withPermits(1)(end(found, by)) })
    })
  )
}

interface Sought {
  readonly digest: Uint8Array
  readonly grantId: GrantId | null
}

/** A credential of this server, by its place in what was sought. */
type Known =
  | { readonly index: number; readonly kind: "secret"; readonly id: SecretId; readonly clientId: ClientId }
  | { readonly index: number; readonly kind: "apiKey"; readonly id: ApiKeyId; readonly userId: UserId }
  | { readonly index: number; readonly kind: "initialToken"; readonly id: string }
  | { readonly index: number; readonly kind: "registrationToken"; readonly clientId: ClientId }
  | {
    readonly index: number
    readonly kind: "grant"
    readonly id: GrantId
    readonly clientId: ClientId
    readonly userId: UserId
    readonly ownerId: UserId
    readonly testOf: ClientId | null
  }
