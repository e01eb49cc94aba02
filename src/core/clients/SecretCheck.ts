import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { timingSafeEqual } from "node:crypto"
import type { SecretId } from "../../domain/Ids.ts"
import type { ClientStanding } from "./Client.ts"
import { ClientsRepo } from "./ClientsRepo.ts"
import { limit } from "./SecretVault.ts"

/** Whether a client shows one of its secrets. */
export class SecretCheck extends Context.Service<SecretCheck, {
  /**
   * Whether each shows one of its client's secrets, and what its request is judged by: in one statement, in their order. An
   * unknown client takes as long. Notes the use, to the minute.
   */
  examine(attempts: ReadonlyArray<Attempt>): Effect.Effect<ReadonlyArray<Examined>, SqlError.SqlError>
  /**
   * The query of what an approved client shows itself with (client_id, secret_digest, migrated, due), for statements that
   * authenticate and act in one: a row for each secret, and for a public client one without. `due` is the id of a secret
   * whose use is to be noted.
   */
  selectCredentials(now: Date): Statement.Fragment
  /** Notes the use of the secrets that are due; what was done with them does not depend on it. */
  noteUse(due: ReadonlyArray<SecretId | null>, now: Date): Effect.Effect<void>
}>()("slotkey/core/clients/SecretCheck") {
  static readonly layer: Layer.Layer<SecretCheck, never, SqlClient.SqlClient> = Layer.effect(
    SecretCheck,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const plain = sql.withoutTransforms()
      const clients = yield* ClientsRepo

      const examine = Effect.fnUntraced(function*(attempts: ReadonlyArray<Attempt>) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const found = yield* plain<ClientStanding & Stored>`
          SELECT c.*, s.digest, s.guessable, ${due(now)} AS due
          FROM (${clients.selectStandings(attempts.map(({ id }) => id))}) c
          LEFT JOIN client_secrets s ON s.client_id = c.id`
        const rows = Map.groupBy(found, ({ id }) => id as string)
        const used = attempts.map(({ id, secretDigest }) => matching(rows.get(id) ?? [], secretDigest))
        yield* noteUse(used.map((secret) => secret?.due ?? null), now)
        return attempts.map(({ id, secretDigest }, i) => {
          const secrets = rows.get(id) ?? []
          const verified = used[i] !== undefined
          const isGuess = !verified && secretDigest !== null && secrets.some(({ guessable }) => guessable === true)
          return { client: secrets[0], verified, isGuess }
        })
      })

      // At most once a minute, so that a secret in steady use does not cost a write a request.
      const due = (now: Date) =>
        sql`CASE WHEN s.last_used_at > ${new Date(now.getTime() - 60_000)} THEN NULL ELSE s.id END`

      const selectCredentials = (now: Date) =>
        sql`
        SELECT c.id AS client_id, c.migrated, s.digest AS secret_digest, ${due(now)} AS due
        FROM (${clients.selectApproved}) c LEFT JOIN client_secrets s ON s.client_id = c.id
        WHERE (c.kind = 'public') = (s.id IS NULL)`

      const noteUse = (due: ReadonlyArray<SecretId | null>, now: Date) => {
        const ids = new Set(due.filter((id) => id !== null))
        // In key order, so that two nodes cannot wait for each other.
        return ids.size === 0 ? Effect.void : Effect.catch(
          sql`UPDATE client_secrets SET last_used_at = ${now}
            WHERE id IN (SELECT id FROM client_secrets WHERE id = ANY(${[...ids]}) ORDER BY id FOR UPDATE)`,
          (error) => Effect.logWarning("The use of a secret could not be noted", error)
        )
      }

      return SecretCheck.of({
        examine,
        selectCredentials,
        noteUse
      })
    })
  ).pipe(Layer.provide(ClientsRepo.layer))
}

/** A client as a request presents it: what is no id may be among them, and public ones show no secret. */
export interface Attempt {
  readonly id: string
  readonly secretDigest: Uint8Array | null
}

export interface Examined {
  readonly client: ClientStanding | undefined
  /** Whether the secret is one of the client's. */
  readonly verified: boolean
  /** Whether it is a wrong one for a client that has a secret which can be guessed. */
  readonly isGuess: boolean
}

interface Stored {
  readonly digest: Uint8Array | null
  readonly guessable: boolean | null
  readonly due: SecretId | null
}

/** Compares with as many digests as a client may have, each in constant time, whatever the client. */
const matching = (secrets: ReadonlyArray<Stored>, shown: Uint8Array | null): Stored | undefined => {
  if (shown === null) return undefined
  let found: Stored | undefined
  for (let i = 0; i < limit; i++) {
    const secret = secrets[i]
    if (timingSafeEqual(secret?.digest ?? absent, shown) && secret?.digest) found = secret
  }
  return found
}

const absent = new Uint8Array(32)
