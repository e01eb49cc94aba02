import { DateTime, Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { SecretId } from "../../domain/Ids.ts"
import * as Column from "../../foundation/database/Column.ts"
import type { SecretCheck } from "../clients/SecretCheck.ts"
import type { Renewed, Rotated, Rotation } from "./RefreshRotation.ts"

/**
 * The statement that replaces refresh tokens of live grants: one conditional update by primary key for each message, if its
 * client has shown itself; of several for one row it takes one. Answers those that it took, by their place in the batch.
 */
export const make = (sql: SqlClient.SqlClient, secrets: SecretCheck["Service"]) =>
  // Rows are locked in key order, so that the batches of two nodes cannot deadlock. Only columns without an index change,
  // so the update stays heap-only.
  Effect.fnUntraced(function*(batch: ReadonlyArray<Rotation>, now: DateTime.Utc, live: Statement.Fragment) {
    const advanced = yield* sql<Advanced>`
  WITH message AS (
    SELECT * FROM unnest(${batch.map(({ grantId }) => grantId)}::uuid[],
      ${batch.map(({ handleDigest }) => handleDigest)}::bytea[],
      ${batch.map(({ clientId }) => clientId)}::text[],
      ${Column.bytes(batch.map(({ secretDigest }) => secretDigest))},
      ${batch.map(({ generation }) => generation)}::integer[],
      ${Column.texts(batch.map(({ scopes }) => scopes && scopes.join(" ")))})
    WITH ORDINALITY AS m (id, handle_digest, client_id, secret_digest, generation, scopes, at)
  ), locked AS (
    SELECT g.id, m.at::int - 1 AS at, k.due
    FROM message m JOIN grants g USING (id) JOIN (${secrets.selectCredentials(DateTime.toDateUtc(now))}) k
      ON k.client_id = m.client_id AND k.secret_digest IS NOT DISTINCT FROM m.secret_digest
    WHERE g.generation = m.generation AND g.handle_digest = m.handle_digest AND g.client_id = m.client_id
      AND (m.scopes IS NULL OR g.scopes IS NULL OR string_to_array(m.scopes, ' ') <@ g.scopes)
      AND ${live}
    ORDER BY g.id FOR UPDATE OF g
  )
  UPDATE grants g SET generation = g.generation + 1, rotated_at = ${DateTime.toDateUtc(now)}
  FROM locked l WHERE g.id = l.id
  RETURNING l.at, g.user_id AS "userId", g.scopes, g.generation, l.due`
    yield* secrets.noteUse(advanced.map(({ due }) => due), DateTime.toDateUtc(now))
    return new Map(advanced.map(({ at, generation, scopes, userId }): [number, Rotated] => [
      at,
      { _tag: "Rotated", grant: { userId, scopes, generation, rotatedAt: now } }
    ]))
  })

/** A grant whose refresh token was replaced, by the place of its message in the batch. */
interface Advanced extends Omit<Renewed, "rotatedAt"> {
  readonly at: number
  readonly due: SecretId | null
}
