import type { SqlClient, Statement } from "effect/sql"

/**
 * Tells of rows of `clients` whether the app registered by itself and no user has asked for its review yet: nobody
 * looks at it, and no foreign host is asked about it. Registrations by the thousand bury no reviewer.
 */
export const isUnasked = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`(clients.origin = 'dynamic' AND clients.status = 'pending' AND EXISTS (SELECT FROM registrations
    WHERE registrations.client_id = clients.id AND registrations.asked_at IS NULL))`
