import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../../domain/Ids.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import { endAccess } from "./EndAccess.ts"
import { ManagedAccounts } from "./ManagedAccounts.ts"

/**
 * Shuts an account out, its owner and the apps that act for it: disables it and ends its sessions, unspent codes,
 * grants and mailed links in one transaction. Returns the number of grants.
 */
export const deactivation = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const accounts = yield* ManagedAccounts
  const end = yield* endAccess

  return Effect.fn("Deactivation.disable")(
    function*(userId: UserId, by: string) {
      yield* accounts.setDisabled(userId, true, by)
      return yield* end(userId, by, { apiKeys: false })
    },
    inTransaction(sql)
  )
})
