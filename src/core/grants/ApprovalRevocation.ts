import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId } from "../../domain/Ids.ts"
import type { GrantedScopes } from "../../domain/scopes/Scope.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import * as TransactionLock from "../../foundation/database/TransactionLock.ts"
import { CodeStore } from "./CodeStore.ts"
import { grantEnds } from "./GrantEnds.ts"

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
  const endGrants = yield* grantEnds

  /** Ends the grants and withdraws the unspent codes; answers the number of grants. */
  const end = Effect.fn("ApprovalRevocation.end")(
    function*({ before, clientId, since }: Approved) {
      // Consents to this app that are under way are given before, and end, or see what this leaves (`Consent`).
      yield* TransactionLock.take(sql, `consents ${clientId}`)
      // Codes first: one that is being spent meanwhile has become a grant when the grants are ended. An app whose codes
      // are gone asks again.
      yield* codes.withdrawAll(clientId)
      // What a legacy app had before was everything.
      const stays = before === null ? sql`true` : before.length === 0 ? sql`false` : sql`scopes <@ ${before}::text[]`
      const ended = yield* endGrants(
        sql`client_id = ${clientId} AND created_at >= ${DateTime.toDateUtc(since)} AND imported_rotates IS NULL
          AND (${stays}) IS NOT TRUE`,
        "approval undone"
      )
      return ended.length
    },
    inTransaction(sql)
  )

  return { end }
})
