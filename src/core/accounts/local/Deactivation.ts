import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../../domain/Ids.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import type { Operator } from "../../audit/Operator.ts"
import { ClientReview } from "../../clients/review/ClientReview.ts"
import { Grants } from "../../grants/Grants.ts"
import { ApiKeys } from "../people/ApiKeys.ts"
import { Sessions } from "../people/Sessions.ts"
import { MailedLinks } from "./MailedLinks.ts"
import { ManagedAccounts } from "./ManagedAccounts.ts"

/**
 * Shuts an account out, its owner and the apps that act for it: disables it and ends its sessions, unspent codes,
 * grants and mailed links in one transaction. Apps that co-owners share go on with them. Returns the number of grants.
 */
export const deactivation = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const accounts = yield* ManagedAccounts
  const end = yield* endAccess
  const review = yield* ClientReview

  return Effect.fn("Deactivation.disable")(
    function*(userId: UserId, by: Operator | UserId) {
      yield* accounts.setDisabled(userId, true, by)
      yield* review.passOn(by, userId)
      return yield* end(userId, by, { apiKeys: false })
    },
    inTransaction(sql)
  )
})

/**
 * Ends the access of a user and of all apps that act for them: mailed links, sessions, unspent codes and grants.
 * API keys, which are refused while their account is disabled, end if `apiKeys` says so. Returns the number of grants,
 * and joins the caller's transaction.
 */
export const endAccess = Effect.gen(function*() {
  const apiKeys = yield* ApiKeys
  const grants = yield* Grants
  const links = yield* MailedLinks
  const sessions = yield* Sessions

  return Effect.fnUntraced(function*(userId: UserId, by: string, ends: { readonly apiKeys: boolean }) {
    yield* links.end(userId)
    // Sessions go before codes: this waits for a consent that has locked its session, and a later one finds none.
    yield* sessions.endAll(userId, by)
    if (ends.apiKeys) yield* apiKeys.revokeAll(userId, by)
    return yield* grants.disconnect(userId, undefined, "account closed")
  })
})
