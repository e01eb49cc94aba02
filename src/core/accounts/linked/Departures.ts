import { Context, Effect, Layer, Option } from "effect"
import type { Conflict, NotFound } from "../../../domain/ApiError.ts"
import type { UserId } from "../../../domain/Ids.ts"
import { ClientReview } from "../../clients/review/ClientReview.ts"
import { endAccess } from "../local/Deactivation.ts"
import { type Belongings, Deletion } from "../local/Deletion.ts"
import type { Account } from "../people/Account.ts"
import { accountNotFound } from "../people/AccountProblems.ts"
import type { Subject } from "../people/ExternalIdentity.ts"
import { type LinkedAccount, LinkedAccounts } from "./LinkedAccounts.ts"

/** Removes users whom the platform does not have any more. */
export class Departures extends Context.Service<Departures, {
  /**
   * Disables the account of this identity and ends its sessions, API keys, unspent codes, grants and mailed links, all
   * or nothing. Each request asks for them, so all nodes refuse the next one. Apps of the user stay, with co-owners
   * where there are some, and so does the trail.
   */
  leave(subject: Subject, by: UserId): Effect.Effect<LinkedAccount, NotFound | Conflict>
  /**
   * Deletes the account of this identity as `Deletion` does. A person who comes by the identity later gets a new one.
   */
  erase(subject: Subject, by: UserId, withUsedApps: boolean): Effect.Effect<Erased, NotFound | Conflict>
}>()("slotkey/core/accounts/linked/Departures") {
  static readonly layer = Layer.effect(
    Departures,
    Effect.gen(function*() {
      const deletion = yield* Deletion
      const end = yield* endAccess
      const linked = yield* LinkedAccounts
      const review = yield* ClientReview

      return Departures.of({
        leave: Effect.fn("Departures.leave")((subject: Subject, by: UserId) =>
          linked.remove(
            subject,
            by,
            (userId) => Effect.andThen(review.passOn(by, userId), end(userId, by, { apiKeys: true }))
          )
        ),
        erase: Effect.fn("Departures.erase")(function*(subject: Subject, by: UserId, withUsedApps: boolean) {
          const found = yield* linked.find(subject)
          if (Option.isNone(found)) return yield* accountNotFound
          const { account } = found.value
          const { apps } = yield* deletion.run(account.id, by, withUsedApps)
          return { account, deletedApps: apps }
        })
      })
    })
  )
}

/** An account as it was, and the apps that went with it. */
interface Erased {
  readonly account: Account
  readonly deletedApps: Belongings["apps"]
}
