import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Conflict, NotFound } from "../../../domain/ApiError.ts"
import type { UserId } from "../../../domain/Ids.ts"
import { Grants } from "../../grants/Grants.ts"
import { ManagedAccounts } from "../ManagedAccounts.ts"
import { Sessions } from "../people/Sessions.ts"
import { entrances, MailedLinks } from "./MailedLinks.ts"

/** Shuts an account out: its owner and the apps that act for it lose their access in one transaction. */
export class Deactivation extends Context.Service<Deactivation, {
  /**
   * Disables the account and ends its sessions, unspent codes, grants and mailed links, but for an objection to a new
   * address. Returns the number of grants.
   */
  disable(userId: UserId, by: string): Effect.Effect<number, NotFound | Conflict>
}>()("slotkey/core/accounts/local/Deactivation") {
  static readonly layer: Layer.Layer<
    Deactivation,
    never,
    SqlClient.SqlClient | MailedLinks | ManagedAccounts | Sessions | Grants
  > = Layer.effect(
    Deactivation,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* ManagedAccounts
      const links = yield* MailedLinks
      const sessions = yield* Sessions
      const grants = yield* Grants

      return Deactivation.of({
        disable: Effect.fn("Deactivation.disable")(
          function*(userId: UserId, by: string) {
            yield* accounts.setDisabled(userId, true, by)
            yield* links.end(userId, entrances)
            // Sessions go before codes: this waits for a consent that has locked its session, and a later one finds
            // none.
            yield* sessions.endAll(userId, by)
            return yield* grants.disconnect(userId)
          },
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die)
        )
      })
    })
  )
}
