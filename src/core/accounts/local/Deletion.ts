import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Conflict, type NotFound } from "../../../domain/ApiError.ts"
import type { ClientId, UserId } from "../../../domain/Ids.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import { AccountClosed } from "../../../foundation/jobs/kinds/AccountClosed.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import type { Operator } from "../../audit/Operator.ts"
import { ClientRegistry } from "../../clients/life/ClientRegistry.ts"
import { forgetConcerned } from "../../clients/life/RefusedRequests.ts"
import { forgetDrafts } from "../../clients/life/RegistrationDrafts.ts"
import { forgetCoOwner } from "../../clients/owners/OwnerInvitations.ts"
import { ClientReview } from "../../clients/review/ClientReview.ts"
import { forgetReviewer } from "../../clients/review/ReviewMessages.ts"
import { forgetWishes } from "../../clients/review/ReviewWishes.ts"
import { forgetGuest } from "../../clients/testapps/TestGuests.ts"
import { Grants } from "../../grants/Grants.ts"
import { inWords, type Usage } from "../../grants/Usage.ts"
import { callerDevice } from "../../limits/CallerDevice.ts"
import type { Account } from "../people/Account.ts"
import { ApiKeys } from "../people/ApiKeys.ts"
import { type Session, SessionEnded, Sessions } from "../people/Sessions.ts"
import { Accounts } from "./Accounts.ts"
import { endAccess } from "./Deactivation.ts"

/** Things that hang on an account beside its sessions. */
export interface Belongings {
  readonly grants: number
  readonly apiKeys: number
  /** Apps that end with it. */
  readonly apps: ReadonlyArray<{ readonly id: ClientId; readonly name: string; readonly usage: Usage }>
  /** Apps that go on with a co-owner, who has this name. */
  readonly inherited: ReadonlyArray<{ readonly name: string; readonly heir: string }>
}

/**
 * Deletes accounts, by an operator, by the platform or by their users. Entries of the trail stay, under the id alone.
 */
export class Deletion extends Context.Service<Deletion, {
  inspect(userId: UserId): Effect.Effect<Belongings>
  /**
   * Deletes the account with its sessions, API keys, codes, grants and apps, all or nothing; apps with a co-owner who
   * may do everything go on with them. Unless `withUsedApps`, it fails while another app of the account has users: they
   * would lose it without a word.
   */
  run(userId: UserId, by: Operator | UserId, withUsedApps: boolean): Effect.Effect<Belongings, NotFound | Conflict>
  /** Same by the user, from this session; a mail confirms it. */
  close(
    account: Account,
    session: Session,
    withUsedApps: boolean
  ): Effect.Effect<Belongings, NotFound | Conflict | SessionEnded>
}>()("slotkey/core/accounts/local/Deletion") {
  static readonly layer = Layer.effect(
    Deletion,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* Accounts
      const apiKeys = yield* ApiKeys
      const clients = yield* ClientRegistry
      const end = yield* endAccess
      const forget = yield* forgetConcerned
      const forgetBegun = yield* forgetDrafts
      const forgetWritten = yield* forgetReviewer
      const forgetGuestOf = yield* forgetGuest
      const forgetWishesOf = yield* forgetWishes
      const forgetShared = yield* forgetCoOwner
      const review = yield* ClientReview
      const grants = yield* Grants
      const outbox = yield* Outbox
      const sessions = yield* Sessions

      const inspect = Effect.fn("Deletion.inspect")(function*(userId: UserId) {
        const heirs = yield* review.heirs(userId)
        const all = yield* clients.listOwned(userId)
        const owned = all.filter(({ id }) => !heirs.has(id))
        return {
          grants: (yield* grants.listLive(userId)).length,
          apiKeys: (yield* apiKeys.list(userId)).length,
          apps: yield* Effect.forEach(
            owned,
            ({ id, name }) => Effect.map(grants.usage(id), (usage) => ({ id, name, usage }))
          ),
          inherited: yield* Effect.forEach(
            all.flatMap(({ id, name }) => {
              const heir = heirs.get(id)
              return heir === undefined ? [] : [{ heir, name }]
            }),
            ({ heir, name }) =>
              Effect.map(
                accounts.find(heir),
                (found) => ({ name, heir: Option.match(found, { onNone: () => heir, onSome: ({ name }) => name }) })
              )
          )
        }
      })

      const deleteAll = Effect.fnUntraced(
        function*<E = never>(
          userId: UserId,
          by: Operator | UserId,
          withUsedApps: boolean,
          check: Effect.Effect<void, E> = Effect.void
        ) {
          yield* accounts.remove(userId, by)
          // Behind the lock of the account, as with a change of password.
          yield* check
          yield* review.passOn(by, userId)
          const belongings = yield* inspect(userId)
          if (!withUsedApps && belongings.apps.some(isUsed)) return yield* ownsUsedApps(belongings)
          yield* end(userId, by, { apiKeys: true })
          yield* forget(userId)
          yield* forgetBegun(userId)
          yield* forgetWritten(userId)
          yield* forgetGuestOf(userId)
          yield* forgetWishesOf(userId)
          yield* forgetShared(userId, by)
          yield* Effect.forEach(belongings.apps, ({ id }) => review.remove(by, id), { discard: true })
          return belongings
        },
        inTransaction(sql)
      )

      const run = Effect.fn("Deletion.run")((userId: UserId, by: Operator | UserId, withUsedApps: boolean) =>
        deleteAll(userId, by, withUsedApps)
      )

      const close = Effect.fn("Deletion.close")(
        function*({ email, id, locale, name, timeFormat, timeZone }: Account, session: Session, withUsedApps: boolean) {
          const isSignedIn = Effect.filterOrFail(sessions.lock(session), (isLive) => isLive, () => new SessionEnded())
          const belongings = yield* deleteAll(id, id, withUsedApps, Effect.asVoid(isSignedIn))
          const reader = { locale, timeZone, timeFormat }
          yield* outbox.publish(AccountClosed.make({ userId: id, email, name, reader, ...(yield* callerDevice) }))
          return belongings
        },
        inTransaction(sql)
      )

      return Deletion.of({ inspect, run, close })
    })
  )
}

const ownsUsedApps = ({ apps }: Belongings) =>
  new Conflict({
    code: "owns_used_apps",
    message: "Users are connected to apps of this account. Suspend them first, or say that they are deleted as well.",
    details: apps.filter(isUsed).map(({ id, name, usage }) => ({ path: id, message: `${name}, ${inWords(usage)}` }))
  })

/** Tells the apps that somebody would miss. */
export const isUsed = ({ usage }: Belongings["apps"][number]): boolean => usage.users > 0
