import type { SqlClient, Statement } from "effect/sql"
import type { ClientId } from "../../../domain/Ids.ts"

// An app that registers by itself is before the reviewers once a user has asked for its review: registrations by the
// thousand bury no reviewer, and cause no request to a foreign host.

/** Tells of rows of `clients` whether the app registered by itself and no user has asked for its review yet. */
export const isUnasked = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`(clients.origin = 'dynamic' AND clients.status = 'pending' AND EXISTS (SELECT FROM registrations
    WHERE registrations.client_id = clients.id AND registrations.asked_at IS NULL))`

/**
 * Notes that a user asks for the review of a locked app. From the first time on it waits, and a worker may fetch the
 * picture that it named. Says nothing of apps that came otherwise.
 */
export const noteAsked = (sql: SqlClient.SqlClient, clientId: ClientId, now: Statement.Fragment) =>
  sql`WITH asked AS (UPDATE registrations SET asked_at = ${now} WHERE client_id = ${clientId} AND asked_at IS NULL
      RETURNING client_id, metadata)
    UPDATE clients SET submitted_at = ${now}, logo_url = asked.metadata::json->>'logo_uri'
    FROM asked WHERE clients.id = asked.client_id AND clients.status = 'pending'`
