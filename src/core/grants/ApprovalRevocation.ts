import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId } from "../../domain/Ids.ts"
import type { GrantedScopes } from "../../domain/scopes/Scope.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import * as TransactionLock from "../../foundation/database/TransactionLock.ts"
import { CodeStore } from "./CodeStore.ts"

/** Grants of a client that an approval made possible. */
export interface Approved {
  readonly clientId: ClientId
  /** Moment of the approval. */
  readonly since: DateTime.Utc
  /** Scopes that users could give before: grants of no others stay, and where there are none, no grant does. */
  readonly before: GrantedScopes
}

/** Ends what users gave an app because of an approval that is taken back. */
export const approvalRevocation = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const codes = yield* CodeStore

  /** Ends the grants and withdraws the unspent codes; answers the number of grants. */
  const end = Effect.fn("ApprovalRevocation.end")(
    function*({ before, clientId, since }: Approved) {
      // Consents to this app that are under way are given before, and end, or see what this leaves (`Consent`).
      yield* TransactionLock.take(sql, `consents ${clientId}`)
      // Codes first: one that is being spent meanwhile has become a grant when the grants are ended. An app whose codes
      // are gone asks again.
      yield* codes.withdrawAll(clientId)
      const now = yield* DatabaseClock.statementNow
      // What a legacy app had before was everything.
      const stays = before === null ? sql`true` : before.length === 0 ? sql`false` : sql`scopes <@ ${before}::text[]`
      // Rows are locked in key order, as in `RotateStatement`.
      const ended = yield* sql`UPDATE grants SET revoked_at = ${now}, revocation_reason = 'approval undone'
        WHERE id IN (SELECT id FROM grants WHERE client_id = ${clientId} AND created_at >= ${DateTime.toDateUtc(since)}
          AND imported_rotates IS NULL AND (${stays}) IS NOT TRUE AND revoked_at IS NULL ORDER BY id FOR UPDATE) RETURNING 1`
      return ended.length
    },
    inTransaction(sql)
  )

  return { end }
})
