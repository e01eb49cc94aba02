import type { PgTypes } from "@effect/sql-pg"
import type { SqlClient, Statement } from "effect/sql"
import type { SecretId } from "../../domain/Ids.ts"
import * as Column from "../../foundation/database/Column.ts"
import { useRecordedFor } from "../clients/secrets/SecretCheck.ts"
import { secretWorks } from "../clients/secrets/SecretWorks.ts"
import { endsAt } from "./LiveCondition.ts"
import type { ReadAhead } from "./ReadAhead.ts"
import type { RotatedGrant, Rotation } from "./RefreshRotation.ts"

/** Settings that decide about a rotation, as parameters. */
interface Intervals {
  readonly grantIdleLifetime: PgTypes.Parameter
  readonly refreshGrace: PgTypes.Parameter
}

/**
 * The one statement of a refresh: it authenticates the clients and moves their live grants on to the next generation. A
 * message changes nothing unless all of it is right, and of several for one grant at most one succeeds. The rows are
 * the grants that were rotated.
 *
 * A token of a later generation than the row's is one that was issued before the database was restored to an earlier
 * state: the row catches up with it, and of several the latest counts.
 *
 * Checks the client as `RedeemStatement` does. Rows are locked in key order, so that the batches of two nodes cannot
 * deadlock. Only columns without an index change, so the update stays heap-only.
 *
 * `now` is evaluated for each row. The time of a rotation is read when its row has been locked and is about to change:
 * a request that was held up before has not used up any of the grace.
 *
 * A token that a repeat handed out (`repeated_generation`) stays the newest until the grace is over. The windows
 * (`GraceWindows`) begin and end here: within the current one nothing changes, a rotation after its end makes it the
 * one before, and after a quiet time there are none.
 */
export const make =
  (sql: SqlClient.SqlClient, { grantIdleLifetime, refreshGrace }: Intervals, readAhead: ReadAhead) =>
  (batch: ReadonlyArray<Rotation>, now: Statement.Fragment) =>
    sql<RotatedRow>`
    WITH message AS (
      SELECT * FROM unnest(
        ${batch.map(({ grantId }) => grantId)}::uuid[],
        ${batch.map(({ handleDigest }) => handleDigest)}::bytea[],
        ${batch.map(({ clientId }) => clientId)}::text[],
        ${Column.bytes(batch.map(({ secretDigest }) => secretDigest))},
        ${batch.map(({ generation }) => generation)}::integer[],
        ${Column.texts(batch.map(({ scopes }) => scopes && scopes.join(" ")))}
      ) WITH ORDINALITY AS m (id, handle_digest, client_id, secret_digest, generation, scopes, index)
    ), locked AS (
      SELECT g.id, m.generation, m.index::int - 1 AS index,
        coalesce(g.window_generation, g.generation - 1) AS window_generation,
        coalesce(g.window_began_at, g.rotated_at) AS window_began_at,
        CASE WHEN s.last_used_at > ${now} - ${useRecordedFor} THEN NULL ELSE s.id END AS unrecorded_secret
      FROM message m
        JOIN grants g USING (id)
        JOIN clients a ON a.id = m.client_id
        LEFT JOIN client_secrets s ON s.client_id = a.id
      WHERE ${readAhead(batch.map(({ grantId }) => grantId))}
        AND g.generation <= m.generation
        AND g.handle_digest = m.handle_digest
        AND g.client_id = m.client_id
        AND (g.repeated_generation = m.generation AND g.rotated_at > ${now} - ${refreshGrace}) IS NOT TRUE
        AND (m.scopes IS NULL OR g.scopes IS NULL OR string_to_array(m.scopes, ' ') <@ g.scopes)
        ${batch.some(({ resource }) => resource !== undefined) ? ofResource(sql, batch) : sql``}
        AND g.revoked_at IS NULL
        AND g.expires_at > ${now}
        AND (g.rotated_at > ${now} - CASE WHEN g.imported_rotates IS NULL THEN ${grantIdleLifetime}
          ELSE g.idle_days * interval '24 hours' END) IS NOT FALSE
        AND a.status = 'approved'
        AND (a.kind = 'public') = (s.id IS NULL)
        AND s.digest IS NOT DISTINCT FROM m.secret_digest
        AND ${secretWorks(sql, now)}
      ORDER BY g.id FOR UPDATE OF g
    )
    UPDATE grants g SET generation = l.generation + 1, rotated_at = l.now,
      window_generation = CASE WHEN l.window_began_at > l.now - ${refreshGrace} THEN l.window_generation END,
      window_began_at = CASE WHEN l.window_began_at > l.now - ${refreshGrace} THEN l.window_began_at END,
      earlier_generation = CASE WHEN l.window_began_at > l.now - ${refreshGrace} THEN g.earlier_generation
        WHEN g.rotated_at > l.now - ${refreshGrace} THEN l.window_generation END,
      earlier_began_at = CASE WHEN l.window_began_at > l.now - ${refreshGrace} THEN g.earlier_began_at
        WHEN g.rotated_at > l.now - ${refreshGrace} THEN l.window_began_at END
    FROM (SELECT DISTINCT ON (id) *, ${now} AS now FROM locked ORDER BY id, generation DESC) l WHERE g.id = l.id
    RETURNING l.index, g.user_id AS "userId", g.scopes, g.resource, g.generation, g.rotated_at AS "rotatedAt",
      g.expires_at AS "expiresAt", ${
      endsAt(sql, grantIdleLifetime)
    } AS "endsAt", l.unrecorded_secret AS "unrecordedSecret"`

/** Condition that grants are for the resources that their requests name; most name none (`RedeemStatement`). */
const ofResource = (sql: SqlClient.SqlClient, batch: ReadonlyArray<Rotation>) => {
  const naming = batch.flatMap(({ resource }, index) => resource === undefined ? [] : [{ index: index + 1, resource }])
  return sql`AND NOT EXISTS (SELECT 1 FROM unnest(${naming.map(({ index }) => index)}::bigint[],
    ${Column.texts(naming.map(({ resource }) => resource))}) AS r (index, resource)
    WHERE r.index = m.index AND r.resource IS DISTINCT FROM g.resource)`
}

/** A grant that was rotated, and the secret that its client sent. */
export interface RotatedRow extends Omit<RotatedGrant, "rotatedAt" | "expiresAt" | "endsAt"> {
  readonly index: number
  readonly rotatedAt: Date
  readonly expiresAt: Date
  readonly endsAt: Date
  /** `null` for a public client, and where the use of the secret was recorded within the last minute. */
  readonly unrecordedSecret: SecretId | null
}
