import type { SqlClient, Statement } from "effect/sql"

/**
 * Condition that a secret `s` works: its end has not come, or it is the last one of its client. The last one is the one
 * that ends last, the younger of two with the same end. It outlives its end (specification §2.1: a confidential client
 * has a secret at any time), and is overdue then. For a client without a secret, whose `s` is null, it holds, too.
 *
 * Each statement that compares secrets has this condition, and so do the commands and the sweep that take away what
 * has ended: there is no other rule of which one is the last. Who is last does not change with time, but when a secret
 * is deleted: so what has ended is deleted first, or it would come back (`SecretRows.removeEnded`).
 */
export const secretWorks = (sql: SqlClient.SqlClient, now: Statement.Fragment): Statement.Fragment =>
  sql`(s.ends_at IS NULL OR s.ends_at > ${now} OR NOT EXISTS (
    SELECT FROM client_secrets later WHERE later.client_id = s.client_id
      AND (coalesce(later.ends_at, 'infinity'), later.created_at, later.id COLLATE "C")
        > (s.ends_at, s.created_at, s.id COLLATE "C")))`
