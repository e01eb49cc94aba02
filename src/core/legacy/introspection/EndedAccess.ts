import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId, UserId } from "../../../domain/Ids.ts"

/**
 * Tells whether an operator has ended here what the app had of the user, or has disabled the account. Of that the
 * previous server knows nothing, so a token there that nobody has asked about yet would undo it. The trail knows it for
 * `AUDIT_LIFETIME`. A user who has disconnected the app is found where tokens are written, as in an import.
 */
export const makeEndedAccess = Effect.map(
  SqlClient.SqlClient,
  (sql) => (clientId: ClientId, userId: UserId) =>
    sql`SELECT 1 FROM audit_log WHERE user_id = ${userId} AND (client_id = ${clientId} OR client_id IS NULL)
        AND action IN ('grants.ended', 'account.disabled')
      UNION ALL
      SELECT 1 FROM audit_log WHERE user_id IS NULL AND (client_id = ${clientId} OR client_id IS NULL)
        AND action = 'grants.ended'
      LIMIT 1`.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)
)
