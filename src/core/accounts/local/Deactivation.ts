import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Conflict, NotFound } from "../../../domain/ApiError.ts"
import type { UserId } from "../../../domain/Ids.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import { endAccess } from "./EndAccess.ts"
import { ManagedAccounts } from "./ManagedAccounts.ts"

/** Shuts an account out: its owner and the apps that act for it lose their access in one transaction. */
export class Deactivation extends Context.Service<Deactivation, {
  /**
   * Disables the account and ends its sessions, unspent codes, grants and mailed links. Returns the number of grants.
   */
  disable(userId: UserId, by: string): Effect.Effect<number, NotFound | Conflict>
}>()("slotkey/core/accounts/local/Deactivation") {
  static readonly layer = Layer.effect(
    Deactivation,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* ManagedAccounts
      const end = yield* endAccess

      return Deactivation.of({
        disable: Effect.fn("Deactivation.disable")(
          function*(userId: UserId, by: string) {
            yield* accounts.setDisabled(userId, true, by)
            return yield* end(userId, by, { apiKeys: false })
          },
          inTransaction(sql)
        )
      })
    })
  )
}
