import { Context, Deferred, Duration, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { BadRequest } from "../../../domain/ApiError.ts"
import * as Input from "../../../domain/Input.ts"
import type { TooManyAttempts } from "../../../domain/TooManyAttempts.ts"
import { AccountMail } from "../../../foundation/jobs/kinds/AccountMail.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { Budgets } from "../../limits/Budgets.ts"
import { CallerAddress } from "../../limits/CallerAddress.ts"
import { callerDevice } from "../../limits/CallerDevice.ts"
import { Limiter } from "../../limits/Limiter.ts"
import { type Account, Email } from "../people/Account.ts"
import { accountColumns, firstAccount } from "../people/AccountColumns.ts"
import { ApiKeys } from "../people/ApiKeys.ts"
import { foldAddress } from "../people/FoldedAddress.ts"
import { Sessions } from "../people/Sessions.ts"
import { Accounts } from "./Accounts.ts"
import { LinkUnusable } from "./MailedLink.ts"
import { MailedLinks } from "./MailedLinks.ts"

/** Another password for people with a local account who have forgotten theirs, by a link mailed to its address. */
export class PasswordResets extends Context.Service<PasswordResets, {
  /**
   * Mails the link, if a local account has this address. The caller does the same and takes as long whether or not
   * one has: only the job looks.
   */
  request(email: string): Effect.Effect<void, BadRequest | TooManyAttempts>
  /** Account at the address and the link to mail; `job` names the request, whose attempts share a link. */
  prepare(email: string, job: string): Effect.Effect<Option.Option<PreparedReset>>
  find(token: string): Effect.Effect<Option.Option<Account>>
  /**
   * Sets the password and ends the sessions of the account and, if it says so, its API keys. Answers what `action` does
   * in the same transaction: a session that it starts does not outlive a deactivation, or the return of an address, at
   * the same moment.
   */
  use<A>(
    token: string,
    change: NewSecret,
    action: (account: Account) => Effect.Effect<A>
  ): Effect.Effect<A, LinkUnusable | BadRequest>
}>()("slotkey/core/accounts/local/PasswordResets") {
  static readonly layer = Layer.effect(
    PasswordResets,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* Accounts
      const apiKeys = yield* ApiKeys
      const budgets = yield* Budgets
      const fold = yield* foldAddress
      const limiter = yield* Limiter
      const links = yield* MailedLinks
      const outbox = yield* Outbox
      const sessions = yield* Sessions

      const selectLocal = (email: string) =>
        firstAccount(Effect.flatMap(accountColumns, (columns) =>
          sql`SELECT ${columns} FROM accounts
            WHERE lower(email) = lower(${email}) AND NOT linked AND disabled_at IS NULL`))

      const request = Effect.fn("PasswordResets.request")(function*(input: string) {
        const { email } = yield* decodeEmail({ email: input })
        const from = limiter.inNetworks(yield* CallerAddress, perCaller, "password-reset", "from")
        yield* limiter.count(from, resetLifetime)
        const to = { subject: limiter.subjectOf("password-reset", "to", yield* fold(email)), limit: perMailbox }
        const mayMail = yield* Effect.isSuccess(limiter.count([to], resetLifetime))
        // The links of the mails before still work, so the answer stays true, and nobody fills another's mailbox.
        if (mayMail) {
          yield* outbox.publish(AccountMail.make({ mail: "password-reset", email, ...(yield* callerDevice) }))
        }
      })

      const prepare = Effect.fn("PasswordResets.prepare")(function*(email: string, job: string) {
        const account = yield* selectLocal(email)
        if (Option.isNone(account)) return Option.none()
        const { id: accountId } = account.value
        yield* links.open({
          id: job,
          purpose: "password-reset",
          accountId,
          email: account.value.email,
          lifetime: resetLifetime
        })
        const minted = yield* links.mint("password-reset", job)
        return Option.map(minted, ({ url }) => ({ account: account.value, url }))
      }, Effect.orDie)

      const find = Effect.fn("PasswordResets.find")(function*(token: string) {
        const link = yield* links.find("password-reset", token)
        if (Option.isNone(link) || link.value.accountId === null) return Option.none()
        // The link is worth nothing once its account was disabled or got another address.
        const account = yield* Effect.orDie(selectLocal(link.value.email))
        return Option.filter(account, ({ id }) => id === link.value.accountId)
      })

      const use = Effect.fn("PasswordResets.use")(
        function*<A>(
          token: string,
          { endApiKeys, password }: NewSecret,
          action: (account: Account) => Effect.Effect<A>
        ) {
          const found = yield* find(token)
          if (Option.isNone(found)) return yield* new LinkUnusable()
          const account = found.value
          yield* budgets.spend("sign-in", account.id)
          const result = yield* Deferred.make<A>()
          yield* accounts.setPassword(
            account.id,
            password,
            account.id,
            Effect.gen(function*() {
              yield* links.take("password-reset", token)
              // A change of the address that somebody else began must not be completed after this.
              yield* links.end(account.id)
              yield* sessions.endAll(account.id)
              if (endApiKeys) yield* apiKeys.revokeAll(account.id, account.id)
              yield* Deferred.succeed(result, yield* action(account))
            })
          ).pipe(Effect.catchTag("NotFound", () => Effect.fail(new LinkUnusable())))
          return yield* Deferred.await(result)
        }
      )

      return PasswordResets.of({ request, prepare, find, use })
    })
  )
}

interface PreparedReset {
  readonly account: Account
  readonly url: Redacted.Redacted
}

interface NewSecret {
  readonly password: Redacted.Redacted
  readonly endApiKeys: boolean
}

const resetLifetime = Duration.hours(1)

/** Mails to one address in the time for which their links work. */
export const perMailbox = 3
/** Requests from one network address in that time, which many people may share. */
export const perCaller = 20

const decodeEmail = Input.decode(Schema.Struct({ email: Email }))
