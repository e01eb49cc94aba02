import { Effect } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import type { EndReason, KnownGrant } from "../clients/events/AppEvent.ts"
import { AppEvents } from "../clients/events/AppEvents.ts"
import { superseded } from "./Grant.ts"

/** Why a grant is revoked, as its row says it, and as its app hears it. */
const reasons = {
  disconnected: "user",
  "device disconnected": "user",
  "account closed": "account_closed",
  "grant.revoked": "app",
  "refresh_token.reused": "token_reused",
  "refresh_token.leaked": "token_leaked",
  "code.replayed": "code_replayed",
  [superseded]: "superseded",
  displaced: "displaced",
  "ended by operator": "operator",
  "approval undone": "approval_undone",
  "resource deleted": "operator"
} as const satisfies Readonly<Record<string, EndReason>>

export type RevocationReason = keyof typeof reasons

/**
 * Revokes the grants for which a condition holds and tells their apps, and the platform, in the caller's transaction:
 * everything that revokes grants does it here. Answers those that had not ended before.
 */
export const grantEnds = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const events = yield* AppEvents

  return (where: Statement.Fragment, reason: RevocationReason): Effect.Effect<
    ReadonlyArray<KnownGrant>,
    SqlError.SqlError
  > =>
    Effect.gen(function*() {
      const now = yield* DatabaseClock.statementNow
      // Rows are locked in key order, as in `RotateStatement`, so that neither can wait for the other in a circle.
      const ended = yield* sql<KnownGrant>`UPDATE grants SET revoked_at = ${now}, revocation_reason = ${reason}
        WHERE id IN (SELECT id FROM grants WHERE ${where} AND revoked_at IS NULL ORDER BY id FOR UPDATE)
        RETURNING id, client_id, user_id, scopes`
      yield* events.grantsEnded(ended, reasons[reason])
      return ended
    })
})
