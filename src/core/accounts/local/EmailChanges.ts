import { Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { type BadRequest, Conflict } from "../../../domain/ApiError.ts"
import type { UserId } from "../../../domain/Ids.ts"
import * as Input from "../../../domain/Input.ts"
import type { TooManyAttempts } from "../../../domain/TooManyAttempts.ts"
import { AccountMail } from "../../../foundation/jobs/kinds/AccountMail.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { Limiter } from "../../limits/Limiter.ts"
import { type Account, Email } from "../people/Account.ts"
import { ApiKeys } from "../people/ApiKeys.ts"
import { Sessions } from "../people/Sessions.ts"
import { Accounts } from "./Accounts.ts"
import { LinkUnusable, type MailedLink, type Purpose } from "./MailedLink.ts"
import { entrances, MailedLinks, type Minted } from "./MailedLinks.ts"
import { dummyHash } from "./Passwords.ts"

/**
 * Another e-mail address for a local account: the new one is confirmed by a link mailed to it, and until then the old
 * one stays valid. The old one gets a mail with a link that keeps it, or brings it back.
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
  /** Link to mail to the old address, whatever has become of the change. */
  prepareObjection(linkId: string): Effect.Effect<Option.Option<Minted & { readonly account: Account }>>
  find(token: string): Effect.Effect<Option.Option<MailedLink>>
  /** Gives the account its new address, unless it is disabled. */
  confirm(token: string): Effect.Effect<MailedLink, LinkUnusable | Conflict>
  findObjection(token: string): Effect.Effect<Option.Option<MailedLink>>
  /**
   * Keeps or brings back the old address, of a disabled account, too. Somebody else has acted with this account, so all
   * its sessions, its API keys and its password end, and a link for a new one is mailed to the old address.
   */
  object(token: string): Effect.Effect<MailedLink, LinkUnusable | Conflict>
}>()("slotkey/core/accounts/local/EmailChanges") {
  static readonly layer: Layer.Layer<
    EmailChanges,
    never,
    | Accounts
    | ApiKeys
    | AuditLog
    | Limiter
    | MailedLinks
    | Outbox
    | Sessions
    | SqlClient.SqlClient
  > = Layer.effect(
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
          yield* limiter.count([{ subject: limiter.subjectOf("email-change", id), limit: perAccount }], changeLifetime)
          yield* links.end(id, ["email-change"])
          const [linkId, objectionId] = yield* Effect.sync(() => [randomUUID(), randomUUID()] as const)
          const link = { accountId: id, email, lifetime: changeLifetime }
          const objection = { accountId: id, email: current, lifetime: objectionLifetime }
          yield* links.open({ id: linkId, purpose: "email-change", ...link })
          yield* links.open({ id: objectionId, purpose: "email-objection", ...objection })
          // Two jobs: an old mailbox that takes no mail any more is a reason for the change, and must not prevent it.
          yield* outbox.publishAll([
            AccountMail.make({ mail: "email-change", linkId }),
            AccountMail.make({ mail: "email-objection", linkId: objectionId, wanted: email })
          ])
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      const pending = Effect.fn("EmailChanges.pending")((userId: UserId) =>
        Effect.map(links.list("email-change", userId), ([link]) => Option.fromUndefinedOr(link))
      )

      const prepare = Effect.fn("EmailChanges.prepare")(function*(linkId: string) {
        const minted = yield* links.mint("email-change", linkId)
        if (Option.isNone(minted)) return Option.none()
        const holder = yield* accounts.findByEmail(minted.value.link.email)
        return Option.some({ ...minted.value, isTaken: Option.isSome(holder) })
      })

      const prepareObjection = Effect.fn("EmailChanges.prepareObjection")(function*(linkId: string) {
        const minted = yield* links.mint("email-objection", linkId)
        if (Option.isNone(minted) || minted.value.link.accountId === null) return Option.none()
        const account = yield* accounts.find(minted.value.link.accountId)
        return Option.map(account, (account) => ({ ...minted.value, account }))
      })

      const setEmail = Effect.fnUntraced(function*(userId: UserId, email: string, action: string) {
        yield* sql`UPDATE accounts SET email = ${email} WHERE id = ${userId}`.pipe(
          Effect.catchReason("SqlError", "UniqueViolation", () => Effect.fail(addressTaken), Effect.die)
        )
        yield* audit.record({ actor: userId, action, userId })
      })

      /**
       * Locks the account of a link, before the link is taken: whatever else ends links of an account goes the same
       * way, and would wait for this while this waits for it.
       */
      const lockAccount = Effect.fnUntraced(function*(purpose: Purpose, token: string) {
        const accountId = Option.getOrUndefined(yield* links.find(purpose, token))?.accountId ?? null
        if (accountId === null) return yield* new LinkUnusable()
        const [row] = yield* sql<{ readonly isDisabled: boolean }>`SELECT disabled_at IS NOT NULL AS is_disabled
          FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`
        return row === undefined ? yield* new LinkUnusable() : { accountId, ...row }
      })

      const confirm = Effect.fn("EmailChanges.confirm")(
        function*(token: string) {
          const { accountId, isDisabled } = yield* lockAccount("email-change", token)
          if (isDisabled) return yield* new LinkUnusable()
          const link = yield* links.take("email-change", token)
          yield* setEmail(accountId, link.email, "account.email_changed")
          // Mails for the old address must not open the account any more; the objection is the exception.
          yield* links.end(accountId, ["password-reset"])
          return link
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      const object = Effect.fn("EmailChanges.object")(
        function*(token: string) {
          const { accountId } = yield* lockAccount("email-objection", token)
          const link = yield* links.take("email-objection", token)
          yield* setEmail(accountId, link.email, "account.email_change_objected")
          yield* sql`UPDATE accounts SET password_hash = ${dummyHash} WHERE id = ${accountId}`
          yield* links.end(accountId, entrances)
          // The objection to the earlier of two changes is the owner's: the person who made that change could have made
          // the other.
          yield* links.end(accountId, ["email-objection"], link.createdAt)
          yield* sessions.endAll(accountId)
          yield* apiKeys.revokeAll(accountId, accountId)
          yield* outbox.publish(AccountMail.make({ mail: "password-reset", email: link.email }))
          return link
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      return EmailChanges.of({
        check,
        request,
        pending,
        withdraw: (userId) => links.end(userId, ["email-change"]),
        prepare,
        prepareObjection,
        find: (token) => links.find("email-change", token),
        confirm,
        findObjection: (token) => links.find("email-objection", token),
        object
      })
    })
  )
}

/** An account with the address that it has. */
type Addressee = Pick<Account, "email" | "id">

interface PreparedChange extends Minted {
  /** True if another local account has the new address; its owner gets a notice in place of the link. */
  readonly isTaken: boolean
}

const changeLifetime = Duration.hours(1)
const objectionLifetime = Duration.days(7)

/** Changes that one account may ask for in that time, each of which is two mails. */
export const perAccount = 5

const decodeEmail = Input.decode(Schema.Struct({ email: Email }))

const unchanged = Effect.fail(Input.invalid([{ path: "email", message: "is the address that the account has" }]))

const addressTaken = new Conflict({
  code: "email_taken",
  message: "Another account has this e-mail address by now, so nothing was changed."
})
