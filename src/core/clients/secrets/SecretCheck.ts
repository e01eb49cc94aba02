import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { timingSafeEqual } from "node:crypto"
import type { SecretId } from "../../../domain/Ids.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import * as Outages from "../../../foundation/database/Outages.ts"
import { retryRolledBack } from "../../../foundation/database/RetryRolledBack.ts"
import type { ClientStanding } from "../records/Client.ts"
import { isPlausible } from "../records/ClientsRepo.ts"
import type { ForeignSecret } from "./ForeignSecrets.ts"
import { secretLimit } from "./SecretRows.ts"
import { secretWorks } from "./SecretWorks.ts"

/**
 * Looks up clients and checks the secrets that were presented for them. `ClientAuthentication` asks it, in batches, for
 * every request that no other statement authenticates; the statements that exchange codes and rotate refresh tokens
 * compare the secret themselves and report its use here.
 */
export class SecretCheck extends Context.Service<SecretCheck, {
  /**
   * Looks up a batch in one statement and answers in its order. An unknown client takes as long as a known one. Records
   * the use of the secrets that match.
   */
  lookUp(batch: ReadonlyArray<UncheckedCredentials>): Effect.Effect<ReadonlyArray<ClientLookup>>
  /** Records that secrets were used; `null` stands for none. A failure is only logged: no outcome depends on it. */
  recordUse(secrets: ReadonlyArray<SecretId | null>): Effect.Effect<void>
}>()("slotkey/core/clients/secrets/SecretCheck") {
  static readonly layer: Layer.Layer<SecretCheck, never, SqlClient.SqlClient> = Layer.effect(
    SecretCheck,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const plain = sql.withoutTransforms()

      const lookUp = Effect.fnUntraced(function*(batch: ReadonlyArray<UncheckedCredentials>) {
        const now = yield* DatabaseClock.statementNow
        const ids = new Set(batch.map(({ id }) => id).filter(isPlausible))
        // The rows are used without a schema, because many requests ask.
        const rows = yield* retryRolledBack(
          plain<ClientStanding & StoredSecret>`
            SELECT c.id, c.kind, c.status, c.legacy OR c.migrated_at IS NOT NULL AS "isLegacyClient",
              c.migrated_at IS NOT NULL AS migrated, c.scope_words AS "scopeWords", s.digest, s.guessable,
              s.id AS "secretId", s.foreign_digest AS "foreignDigest",
              CASE WHEN s.last_used_at > ${now} - ${useRecordedFor} THEN NULL ELSE s.id END AS "unrecordedSecret"
            FROM clients c LEFT JOIN client_secrets s ON s.client_id = c.id AND ${secretWorks(sql, now)}
            WHERE c.id = ANY(${[...ids]}::text[])`
        )
        const byClient = Map.groupBy(rows, ({ id }): string => id)
        const matches = batch.map(({ id, secretDigest }) => findMatch(byClient.get(id) ?? [], secretDigest))
        yield* recordUse(matches.map((secret) => secret?.unrecordedSecret ?? null))
        return batch.map(({ id, secretDigest }, i): ClientLookup => {
          const secrets = byClient.get(id) ?? []
          const client = secrets[0]
          const authenticated = client?.kind === "public" ? secretDigest === null : matches[i] !== undefined
          const isGuess = !authenticated && secretDigest !== null && secrets.some(({ guessable }) => guessable === true)
          const foreign = authenticated ?
            [] :
            secrets.flatMap(({ foreignDigest, secretId }) =>
              foreignDigest === null || secretId === null ? [] : [{ id: secretId, digest: foreignDigest }]
            )
          return { client, authenticated, isGuess, foreign }
        })
      })

      const recordUse = (secrets: ReadonlyArray<SecretId | null>) => {
        const ids = new Set(secrets.filter((id) => id !== null))
        // Rows are locked in key order, so that two nodes cannot deadlock.
        return ids.size === 0 ? Effect.void : Outages.bestEffort("The use of a secret was not noted")(
          Effect.flatMap(DatabaseClock.statementNow, (now) =>
            sql`UPDATE client_secrets SET last_used_at = ${now}
              WHERE id IN (SELECT id FROM client_secrets WHERE id = ANY(${[...ids]}) ORDER BY id FOR UPDATE)`)
        )
      }

      return SecretCheck.of({ lookUp, recordUse })
    })
  )
}

/** Use of a secret is recorded at most once a minute, so that steady use does not cost a write for each request. */
export const useRecordedFor = Column.interval(Duration.minutes(1))

/** Credentials of a request; the id is any text that was sent, and the secret is absent for public clients. */
interface UncheckedCredentials {
  readonly id: string
  readonly secretDigest: Uint8Array | null
}

export interface ClientLookup {
  readonly client: ClientStanding | undefined
  /** The secret is one of the client's; or the client is public and none was sent. */
  readonly authenticated: boolean
  /** A wrong secret was presented for a client that has a guessable one. */
  readonly isGuess: boolean
  /** Secrets that only a slow digest of another server can tell, if no other of the client has matched. */
  readonly foreign: ReadonlyArray<ForeignSecret>
}

/** A secret of a client, as `client_secrets` holds it; all `null` for a client without one. */
interface StoredSecret {
  readonly digest: Uint8Array | null
  readonly guessable: boolean | null
  readonly secretId: SecretId | null
  readonly foreignDigest: string | null
  /** Id of the secret, unless its use was recorded within the last minute. */
  readonly unrecordedSecret: SecretId | null
}

/** Compares with as many digests as a client may have, each in constant time, whatever the client. */
const findMatch = (secrets: ReadonlyArray<StoredSecret>, presented: Uint8Array | null): StoredSecret | undefined => {
  if (presented === null) return undefined
  let match: StoredSecret | undefined
  for (let i = 0; i < secretLimit; i++) {
    const secret = secrets[i]
    if (timingSafeEqual(secret?.digest ?? absent, presented) && secret?.digest) match = secret
  }
  return match
}

const absent = new Uint8Array(32)
