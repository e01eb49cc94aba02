import { Context, Effect, Layer } from "effect"
import type { Conflict, NotFound } from "../../domain/ApiError.ts"
import type { UserId } from "../../domain/Ids.ts"
import { Grants } from "../grants/Grants.ts"
import { ApiKeys } from "./ApiKeys.ts"
import type { Subject } from "./ExternalIdentity.ts"
import { type LinkedAccount, LinkedAccounts } from "./LinkedAccounts.ts"
import { Sessions } from "./Sessions.ts"

/** What becomes of users whom the platform does not have any more. */
export class Departures extends Context.Service<Departures, {
  /**
   * Disables the account of this identity and ends its sessions, API keys, unspent codes and grants, all or nothing. Each
   * request asks for them, so all nodes refuse the next one. Apps of the user stay, and so does the trail.
   */
  leave(subject: Subject, by: UserId): Effect.Effect<LinkedAccount, NotFound | Conflict>
}>()("slotkey/core/accounts/Departures") {
  static readonly layer: Layer.Layer<Departures, never, ApiKeys | Grants | LinkedAccounts | Sessions> = Layer.effect(
    Departures,
    Effect.gen(function*() {
      const apiKeys = yield* ApiKeys
      const grants = yield* Grants
      const linked = yield* LinkedAccounts
      const sessions = yield* Sessions

      return Departures.of({
        leave: Effect.fn("Departures.leave")((subject: Subject, by: UserId) =>
          linked.remove(subject, by, (userId) =>
            // Sessions go before codes, as when an account is disabled.
            sessions.endAll(userId).pipe(
              Effect.andThen(apiKeys.revokeAll(userId, by)),
              Effect.andThen(grants.disconnect(userId))
            ))
        )
      })
    })
  )
}
