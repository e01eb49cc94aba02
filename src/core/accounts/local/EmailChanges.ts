import { Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { type BadRequest, Conflict } from "../../../domain/ApiError.ts"
import type { UserId } from "../../../domain/Ids.ts"
import * as Input from "../../../domain/Input.ts"
import { broken } from "../../../domain/Rule.ts"
import type { TooManyAttempts } from "../../../domain/TooManyAttempts.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import { AccountMail } from "../../../foundation/jobs/kinds/AccountMail.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { callerDevice } from "../../limits/CallerDevice.ts"
import { Limiter } from "../../limits/Limiter.ts"
import { type Account, Email } from "../people/Account.ts"
import { ApiKeys } from "../people/ApiKeys.ts"
import { Sessions } from "../people/Sessions.ts"
import { Accounts } from "./Accounts.ts"
import { LinkUnusable, type MailedLink } from "./MailedLink.ts"
import { MailedLinks, type Minted } from "./MailedLinks.ts"
import { dummyHash } from "./Passwords.ts"

/**
 * Another e-mail address for a local account: the new one is confirmed by a link mailed to it, and until then the old
 * one stays valid and gets a notice (docs/decisions/accounts.md).
 */
export class EmailChanges extends Context.Service<EmailChanges, {
  /**
   * Starts a change in place of one that still waits; a job mails each address. Does the same when the new address is
   * another account's, so that the caller learns nothing.
   */
  request(account: Addressee, email: string): Effect.Effect<void, BadRequest | TooManyAttempts>
  /** New address as it would be kept, for a form that tells all its faults at once. */
  check(account: Addressee, email: string): Effect.Effect<string, BadRequest>
  /** Change that waits for its confirmation. */
  pending(userId: UserId): Effect.Effect<Option.Option<MailedLink>>
  withdraw(userId: UserId): Effect.Effect<void>
  /** Link to mail to the new address, for a change that still waits. */
  prepare(linkId: string): Effect.Effect<Option.Option<PreparedChange>>
  find(token: string): Effect.Effect<Option.Option<MailedLink>>
  /** Gives the account its new address, unless it is disabled, and ends its sessions, API keys and mailed links. */
  confirm(token: string): Effect.Effect<MailedLink, LinkUnusable | Conflict>
  /**
   * Gives an account, also a disabled one, back the address that somebody else has changed. Its sessions, API keys,
   * mailed links and password end, and a link for a new password is mailed to the address.
   */
  restore(userId: UserId, email: string, by: string): Effect.Effect<void, BadRequest | Conflict>
}>()("slotkey/core/accounts/local/EmailChanges") {
  static readonly layer = Layer.effect(
    EmailChanges,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* Accounts
      const apiKeys = yield* ApiKeys
      const audit = yield* AuditLog
      const limiter = yield* Limiter
      const links = yield* MailedLinks
      const outbox = yield* Outbox
      const sessions = yield* Sessions

      const check = Effect.fnUntraced(function*({ email: current }: Addressee, input: string) {
        const { email } = yield* decodeEmail({ email: input })
        return email.toLowerCase() === current.toLowerCase() ? yield* unchanged : email
      })

      const request = Effect.fn("EmailChanges.request")(
        function*(account: Addressee, input: string) {
          const email = yield* check(account, input)
          const { email: current, id } = account
          // The row is locked, so that no link is opened beside an address that comes back just now.
          const [row] = yield* sql`SELECT 1 FROM accounts WHERE id = ${id} AND email = ${current} FOR NO KEY UPDATE`
          if (row === undefined) return yield* changedMeanwhile
          yield* limiter.count([{ subject: limiter.subjectOf("email-change", id), limit: perAccount }], changeLifetime)
          yield* links.end(id, "email-change")
          const linkId = yield* Effect.sync(() => randomUUID())
          yield* links.open({ id: linkId, purpose: "email-change", accountId: id, email, lifetime: changeLifetime })
          const device = yield* callerDevice
          // Two jobs: an old mailbox that takes no mail any more is a reason for the change, and must not prevent it.
          yield* outbox.publishAll([
            AccountMail.make({ mail: "email-change", linkId }),
            AccountMail.make({ mail: "email-change-notice", userId: id, email: current, wanted: email, ...device })
          ])
        },
        inTransaction(sql)
      )

      const pending = Effect.fn("EmailChanges.pending")((userId: UserId) =>
        Effect.map(links.list("email-change", userId), ([link]) => Option.fromUndefinedOr(link))
      )

      const prepare = Effect.fn("EmailChanges.prepare")(function*(linkId: string) {
        const minted = yield* links.mint("email-change", linkId)
        if (Option.isNone(minted)) return Option.none()
        return Option.some({ ...minted.value, holder: yield* accounts.findByEmail(minted.value.link.email) })
      })

      const setEmail = Effect.fnUntraced(function*(userId: UserId, email: string, by: string, action: string) {
        yield* sql`UPDATE accounts SET email = ${email} WHERE id = ${userId}`.pipe(
          Effect.catchReason("SqlError", "UniqueViolation", () => Effect.fail(addressTaken), Effect.die)
        )
        yield* audit.record({ actor: by, action, userId })
        yield* links.end(userId)
        yield* sessions.endAll(userId, by)
        yield* apiKeys.revokeAll(userId, by)
      })

      const confirm = Effect.fn("EmailChanges.confirm")(
        function*(token: string) {
          const accountId = Option.getOrUndefined(yield* links.find("email-change", token))?.accountId ?? null
          // Locked before the link is taken, as all that ends links of an account does: else each might wait for the
          // other.
          const [row] = yield* sql`SELECT 1 FROM accounts WHERE id = ${accountId} AND disabled_at IS NULL
            FOR NO KEY UPDATE`
          if (accountId === null || row === undefined) return yield* new LinkUnusable()
          const link = yield* links.take("email-change", token)
          yield* setEmail(accountId, link.email, accountId, "account.email_changed")
          return link
        },
        inTransaction(sql)
      )

      const restore = Effect.fn("EmailChanges.restore")(
        function*(userId: UserId, input: string, by: string) {
          const { email } = yield* decodeEmail({ email: input })
          yield* setEmail(userId, email, by, "account.email_restored")
          yield* sql`UPDATE accounts SET password_hash = ${dummyHash} WHERE id = ${userId}`
          yield* outbox.publish(AccountMail.make({ mail: "password-reset", email }))
        },
        inTransaction(sql)
      )

      return EmailChanges.of({
        check,
        request,
        pending,
        withdraw: (userId) => links.end(userId, "email-change"),
        prepare,
        find: (token) => links.find("email-change", token),
        confirm,
        restore
      })
    })
  )
}

/** An account with the address that it has. */
type Addressee = Pick<Account, "email" | "id">

interface PreparedChange extends Minted {
  /** Another local account that has the new address; its owner gets a notice in place of the link. */
  readonly holder: Option.Option<Account>
}

const changeLifetime = Duration.hours(1)

/** Changes that one account may ask for in that time, each of which is two mails. */
export const perAccount = 5

const decodeEmail = Input.decode(Schema.Struct({ email: Email }))

const unchanged = Effect.fail(Input.invalid([{ path: "email", ...broken("emailUnchanged") }]))

const changedMeanwhile = Effect.fail(
  Input.invalid([{ path: "email", ...broken("emailMoved") }])
)

const addressTaken = new Conflict({
  code: "email_taken",
  message: "Another account has this e-mail address by now, so nothing was changed."
})
