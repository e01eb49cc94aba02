import { Context, Effect, Layer, Option, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { type BadRequest, type Conflict, NotFound } from "../../../domain/ApiError.ts"
import * as Input from "../../../domain/Input.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as TransactionLock from "../../../foundation/database/TransactionLock.ts"
import { AccountMail } from "../../../foundation/jobs/kinds/AccountMail.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { operator } from "../../audit/Operator.ts"
import { Budgets } from "../../limits/Budgets.ts"
import type { Account } from "../people/Account.ts"
import { roleAt } from "../people/AccountColumns.ts"
import { emailTaken } from "../people/AccountProblems.ts"
import { Accounts } from "./Accounts.ts"
import { Invitation, NewInvitation } from "./Invitation.ts"
import { LinkUnusable, type MailedLink } from "./MailedLink.ts"
import { MailedLinks, type Minted } from "./MailedLinks.ts"

/** Local accounts by invitation: an administrator names address and role, and the person the rest. */
export class Invitations extends Context.Service<Invitations, {
  /**
   * Invites, or invites again: another mail goes out, and the links of earlier ones end. `by` is the actor of the
   * trail.
   */
  invite(input: InvitationInput, by: string): Effect.Effect<Invitation, BadRequest | Conflict>
  /** Invitations that wait, the newest first. */
  readonly list: Effect.Effect<ReadonlyArray<Invitation>>
  resend(id: string, by: string): Effect.Effect<Invitation, NotFound | Conflict>
  withdraw(id: string, by: string): Effect.Effect<Invitation, NotFound>
  /** Link to mail, unless the invitation was withdrawn. */
  prepare(id: string): Effect.Effect<Option.Option<Minted>>
  find(token: string): Effect.Effect<Option.Option<Invitation>>
  /**
   * Makes the account, and answers what `action` does in the same transaction: a session that it starts does not
   * outlive a deactivation at the same moment. Of concurrent uses only one succeeds.
   */
  accept<A>(
    token: string,
    person: Invitee,
    action: (account: Account) => Effect.Effect<A>
  ): Effect.Effect<A, LinkUnusable | BadRequest | Conflict>
}>()("slotkey/core/accounts/local/Invitations") {
  static readonly layer = Layer.effect(
    Invitations,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { invitationLifetime } = yield* AppConfig
      const accounts = yield* Accounts
      const audit = yield* AuditLog
      const budgets = yield* Budgets
      const links = yield* MailedLinks
      const outbox = yield* Outbox

      const list = Effect.map(links.list("invitation"), (found) => found.map(fromLink))

      // Makes concurrent invitations see each other, because an address has one.
      const invite = Effect.fnUntraced(
        function*(select: Effect.Effect<typeof NewInvitation.Type, BadRequest | NotFound>, by: string) {
          yield* TransactionLock.take(sql, "invitations")
          const { email, role } = yield* select
          const inviter = yield* accounts.find(by)
          yield* budgets.spend("change", Option.getOrUndefined(inviter)?.id)
          if (Option.isSome(yield* accounts.findByEmail(email))) return yield* emailTaken
          yield* sql`DELETE FROM mailed_links WHERE purpose = 'invitation' AND lower(email) = lower(${email})`
          const id = yield* Effect.sync(() => randomUUID())
          yield* links.open({ id, purpose: "invitation", email, role, invitedBy: by, lifetime: invitationLifetime })
          yield* audit.record({ actor: by, action: "account.invited", details: { invitation: id, role } })
          yield* outbox.publish(AccountMail.make({ mail: "invitation", linkId: id }))
          return yield* get(id)
        },
        inTransaction(sql)
      )

      const get = (id: string) =>
        Effect.flatMap(list, (all) => {
          const found = all.find((one) => one.id === id)
          return found === undefined ? Effect.fail(notFound) : Effect.succeed(found)
        })

      // An administrator who lost the role must not leave another one behind.
      const mayInvite = (by: string) =>
        by === operator ? Effect.succeed(true) : Effect.flatMap(DatabaseClock.statementNow, (now) =>
          Effect.map(
            sql`SELECT 1 FROM accounts WHERE id = ${by} AND ${roleAt(now)} = 'admin' AND disabled_at IS NULL`,
            (rows) => rows.length > 0
          ))

      const find = Effect.fn("Invitations.find")(function*(token: string) {
        const link = Option.map(yield* links.find("invitation", token), fromLink)
        return Option.isSome(link) && (yield* mayInvite(link.value.invitedBy)) ? link : Option.none()
      }, Effect.orDie)

      const accept = Effect.fn("Invitations.accept")(function*<A>(
        token: string,
        person: Invitee,
        action: (account: Account) => Effect.Effect<A>
      ) {
        const found = yield* find(token)
        if (Option.isNone(found)) return yield* new LinkUnusable()
        const { email, id, role } = found.value
        yield* budgets.spend("sign-in")
        const create = yield* accounts.prepare({ ...person, email, role })
        return yield* Effect.gen(function*() {
          // The inviter may have lost the role meanwhile.
          if (Option.isNone(yield* find(token))) return yield* new LinkUnusable()
          yield* links.take("invitation", token)
          const account = yield* create
          yield* audit.record({
            actor: account.id,
            action: "account.invitation_accepted",
            userId: account.id,
            details: { invitation: id }
          })
          return yield* action(account)
        }).pipe(inTransaction(sql))
      })

      return Invitations.of({
        invite: Effect.fn("Invitations.invite")((input: InvitationInput, by: string) =>
          Effect.catchTag(invite(decodeInvitation(input), by), "NotFound", Effect.die)
        ),
        list,
        resend: Effect.fn("Invitations.resend")((id: string, by: string) =>
          Effect.catchTag(invite(get(id), by), "BadRequest", Effect.die)
        ),
        withdraw: Effect.fn("Invitations.withdraw")(
          function*(id: string, by: string) {
            const withdrawn = yield* links.withdraw("invitation", id)
            if (Option.isNone(withdrawn)) return yield* notFound
            yield* audit.record({ actor: by, action: "account.invitation_withdrawn", details: { invitation: id } })
            return fromLink(withdrawn.value)
          },
          inTransaction(sql)
        ),
        prepare: (id) => links.mint("invitation", id),
        find,
        accept
      })
    })
  )
}

/** An invitation as it arrives; the service decodes it. */
interface InvitationInput {
  readonly email: string
  readonly role: string
}

/** Fields that the invited person enters. */
interface Invitee {
  readonly name: string
  readonly password: Redacted.Redacted
}

const decodeInvitation = Input.decode(NewInvitation)

const fromLink = ({ createdAt, email, expiresAt, id, invitedBy, role }: MailedLink): Invitation =>
  new Invitation({ id, email, role: role ?? "user", invitedBy: invitedBy ?? operator, createdAt, expiresAt })

const notFound = new NotFound({
  code: "invitation_not_found",
  message: "There is no such invitation: it was accepted or withdrawn, or it has expired."
})
