import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Conflict, NotFound } from "../../../domain/ApiError.ts"
import type { UserId } from "../../../domain/Ids.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import type { ListedAccount, Role } from "../people/Account.ts"
import { deactivation } from "./Deactivation.ts"
import { ManagedAccounts } from "./ManagedAccounts.ts"

/** Changes of an administrator to an account. A field that is left out stays. */
export interface AccountChange {
  readonly role?: Role
  readonly disabled?: boolean
}

/** Acts of administrators on the accounts of this server. The command line has the same, one at a time. */
export class Administration extends Context.Service<Administration, {
  /**
   * Changes all of it or nothing. The last administrator keeps role and account. A role counts from the next request
   * on, for open pages and API keys, too; a disabled account loses its sessions, codes and grants at once.
   */
  change(userId: UserId, change: AccountChange, by: UserId): Effect.Effect<ListedAccount, NotFound | Conflict>
}>()("slotkey/core/accounts/local/Administration") {
  static readonly layer = Layer.effect(
    Administration,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* ManagedAccounts
      const disable = yield* deactivation

      const change = Effect.fn("Administration.change")(
        function*(userId: UserId, { disabled, role }: AccountChange, by: UserId) {
          const before = yield* accounts.get(userId)
          // A field that has this value already makes no entry of the trail.
          if (role !== undefined && isChange(before, role)) yield* accounts.setRole(userId, role, by)
          if (disabled === true && !before.disabled) yield* disable(userId, by)
          if (disabled === false && before.disabled) yield* accounts.setDisabled(userId, false, by)
          return yield* accounts.get(userId)
        },
        inTransaction(sql)
      )

      return Administration.of({ change })
    })
  )
}

/** Tells whether it changes anything to set this role here: the same role by a claim would end without it. */
export const isChange = (account: ListedAccount, role: Role): boolean =>
  role !== account.role || account.claimedRole !== null
