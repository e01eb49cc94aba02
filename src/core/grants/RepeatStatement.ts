import type { PgTypes } from "@effect/sql-pg"
import type { SqlClient, Statement } from "effect/sql"
import type { GrantId } from "../../domain/Ids.ts"
import * as Column from "../../foundation/database/Column.ts"
import { secretWorks } from "../clients/secrets/SecretWorks.ts"
import { endsAt } from "./LiveCondition.ts"
import type { RotatedGrant, Rotation } from "./RefreshRotation.ts"

/**
 * Statement of refreshes that are repeats within the grace, by clients that authenticate: what they hand out stays
 * the newest generation until the grace is over (`RotateStatement`), and what they present has reached the app, which
 * counts as its use. The rows are the grants as they are now, for another rotation may have come between.
 *
 * Checks the client as `RedeemStatement` does. Rows are locked in key order, so that the batches of two nodes
 * cannot deadlock. Only columns without an index change, so the update stays heap-only.
 */
export const make =
  (sql: SqlClient.SqlClient, grantIdleLifetime: PgTypes.Parameter) =>
  (repeats: ReadonlyArray<Rotation>, now: Statement.Fragment) =>
    sql<RepeatedRow>`
    WITH message AS (
      SELECT * FROM unnest(
        ${repeats.map(({ grantId }) => grantId)}::uuid[],
        ${repeats.map(({ clientId }) => clientId)}::text[],
        ${Column.bytes(repeats.map(({ secretDigest }) => secretDigest))},
        ${repeats.map(({ generation }) => generation)}::integer[]
      ) AS m (id, client_id, secret_digest, generation)
    ), locked AS (
      SELECT g.id, m.generation
      FROM message m
        JOIN grants g USING (id)
        JOIN clients a ON a.id = m.client_id
        LEFT JOIN client_secrets s ON s.client_id = a.id
      WHERE g.client_id = m.client_id
        AND g.revoked_at IS NULL
        AND a.status = 'approved'
        AND (a.kind = 'public') = (s.id IS NULL)
        AND s.digest IS NOT DISTINCT FROM m.secret_digest
        AND ${secretWorks(sql, now)}
      ORDER BY g.id FOR NO KEY UPDATE OF g
    )
    UPDATE grants g
    SET repeated_generation = g.generation, used_generation = greatest(g.used_generation, l.generation)
    FROM (SELECT id, max(generation) AS generation FROM locked GROUP BY id) l WHERE g.id = l.id
    RETURNING g.id, g.user_id AS "userId", g.scopes, g.resource, g.generation, g.rotated_at AS "rotatedAt",
      g.expires_at AS "expiresAt", ${endsAt(sql, grantIdleLifetime)} AS "endsAt"`

/** A grant as it is when a repeat is answered. */
export interface RepeatedRow extends Omit<RotatedGrant, "rotatedAt" | "expiresAt" | "endsAt"> {
  readonly id: GrantId
  readonly rotatedAt: Date
  readonly expiresAt: Date
  readonly endsAt: Date
}
