import type { PgTypes } from "@effect/sql-pg"
import type { SqlClient, Statement } from "effect/sql"
import type { GrantId, SecretId, UserId } from "../../domain/Ids.ts"
import type { GrantedScopes } from "../../domain/scopes/Scope.ts"
import * as Column from "../../foundation/database/Column.ts"
import { useRecordedFor } from "../clients/secrets/SecretCheck.ts"
import { secretWorks } from "../clients/secrets/SecretWorks.ts"
import type { Redemption } from "./CodeRedemption.ts"

/**
 * The one statement of an exchange: it authenticates the clients, spends their codes and opens the grants. A message
 * changes nothing unless all of it is right, and of several for one code at most one succeeds. The rows are the grants
 * that were opened.
 *
 * The check of the client stands in `RotateStatement`, too: those few lines are repeated so that each statement can be
 * read as a whole. Rows are locked in key order, so that the batches of two nodes cannot deadlock.
 */
export const make =
  (sql: SqlClient.SqlClient, grantLifetime: PgTypes.Parameter) =>
  (batch: ReadonlyArray<Redemption>, now: Statement.Fragment) => {
    const named = batch.some(({ resource }) => resource !== undefined)
    const column = <K extends keyof Redemption>(name: K) => batch.map((redemption) => redemption[name])
    return sql<RedeemedRow>`
    WITH message AS (
      SELECT * FROM unnest(
        ${column("digest")}::bytea[],
        ${column("clientId")}::text[],
        ${Column.bytes(column("secretDigest"))},
        ${column("redirectUri")}::text[],
        ${Column.texts(column("codeChallenge"))},
        ${column("grantId")}::uuid[],
        ${column("handleDigest")}::bytea[]
      ) AS m (digest, client_id, secret_digest, redirect_uri, code_challenge, grant_id, handle_digest)
    ), locked AS (
      SELECT c.digest, m.grant_id, m.handle_digest, a.migrated_at IS NOT NULL AS migrated,
        CASE WHEN s.last_used_at > ${now} - ${useRecordedFor} THEN NULL ELSE s.id END AS unrecorded_secret
      FROM message m
        JOIN codes c USING (digest)
        JOIN clients a ON a.id = m.client_id
        LEFT JOIN client_secrets s ON s.client_id = a.id
      WHERE c.grant_id IS NULL
        AND c.expires_at > ${now}
        AND c.client_id = m.client_id
        AND c.redirect_uri = m.redirect_uri
        AND c.code_challenge IS NOT DISTINCT FROM m.code_challenge
        ${named ? ofResource(sql, batch) : sql``}
        AND a.status = 'approved'
        AND (a.kind = 'public') = (s.id IS NULL)
        AND s.digest IS NOT DISTINCT FROM m.secret_digest
        AND ${secretWorks(sql, now)}
      ORDER BY c.digest FOR UPDATE OF c
    ), spent AS (
      UPDATE codes c SET grant_id = l.grant_id
      FROM locked l WHERE c.digest = l.digest
      RETURNING c.grant_id AS id, l.handle_digest, c.client_id, c.user_id, c.scopes, c.declined, c.browser, c.place,
        c.resource, c.document_digest, c.grant_expires_at
    ), opened AS (
      INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, declined, browser, place, resource,
        document_digest, rotated_at, created_at, expires_at)
      SELECT s.id, s.handle_digest, s.client_id, s.user_id, s.scopes, s.declined, s.browser, s.place, s.resource,
        s.document_digest, t.now, t.now,
        LEAST(t.now + ${grantLifetime}, s.grant_expires_at)
      FROM spent s, (SELECT ${now} AS now) t
      RETURNING id, user_id, scopes, resource, created_at, expires_at
    )
    SELECT o.id AS "grantId", o.user_id AS "userId", o.scopes, o.resource, o.created_at AS "createdAt",
      o.expires_at AS "expiresAt", l.migrated, l.unrecorded_secret AS "unrecordedSecret"
    FROM opened o JOIN locked l ON l.grant_id = o.id`
  }

/**
 * Condition that codes are for the resources that their requests name. Most requests name none, and their statement has
 * no word of it.
 */
const ofResource = (sql: SqlClient.SqlClient, batch: ReadonlyArray<Redemption>) => {
  const naming = batch.filter(({ resource }) => resource !== undefined)
  return sql`AND NOT EXISTS (SELECT 1 FROM unnest(${naming.map(({ digest }) => digest)}::bytea[],
    ${naming.map(({ grantId }) => grantId)}::uuid[], ${Column.texts(naming.map(({ resource }) => resource ?? null))})
    AS r (digest, grant_id, resource)
    WHERE r.digest = c.digest AND r.grant_id = m.grant_id AND r.resource IS DISTINCT FROM c.resource)`
}

/** A grant that was opened, and the secret that its client sent. */
interface RedeemedRow {
  readonly grantId: GrantId
  readonly userId: UserId
  readonly scopes: GrantedScopes
  readonly resource: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly migrated: boolean
  /** `null` for a public client, and where the use of the secret was recorded within the last minute. */
  readonly unrecordedSecret: SecretId | null
}
