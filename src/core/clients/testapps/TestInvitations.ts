import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as TransactionLock from "../../../foundation/database/TransactionLock.ts"
import type { Account } from "../../accounts/people/Account.ts"
import { namesOf } from "../../accounts/people/InvitedName.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { appAccess } from "../records/AppAccess.ts"
import { isPlausible } from "../records/ClientsRepo.ts"
import { guestRevocation } from "./GuestRevocation.ts"

/** Invitation to use a test app, for the person whom it names. */
const Invitation = Schema.Struct({
  clientId: ClientId,
  name: Schema.String,
  website: Schema.String,
  ownerId: UserId,
  /** `null` while the person has not answered. */
  acceptedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
export type Invitation = typeof Invitation.Type

/** Name of the test app that was answered about; nothing if there was no such invitation. */
type Answered = string | undefined

/** Invitations to use test apps, as the people have them whom they name; the page of connected apps shows them. */
export class TestInvitations extends Context.Service<TestInvitations, {
  /** Invitations that an account has, and the test apps that it may use by them. */
  list(account: Account): Effect.Effect<ReadonlyArray<Invitation>>
  accept(account: Account, testId: string): Effect.Effect<Answered>
  /** Says no; the owner is not told. */
  decline(account: Account, testId: string): Effect.Effect<Answered>
  /** Stops being a guest, which ends what was given to the test app. */
  leave(account: Account, testId: string): Effect.Effect<Answered>
}>()("slotkey/core/clients/testapps/TestInvitations") {
  static readonly layer = Layer.effect(
    TestInvitations,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const endGiven = yield* guestRevocation
      const { roleOf } = yield* appAccess

      const list = Effect.fn("TestInvitations.list")(function*(account: Account) {
        return yield* allInvitations(sql`SELECT test.id AS client_id, test.name, test.website, test.owner_id,
            max(guest.accepted_at) AS accepted_at
          FROM test_guests guest JOIN clients test ON test.id = guest.client_id
          WHERE guest.account_id = ${account.id}
            OR guest.accepted_at IS NULL AND guest.declined_at IS NULL AND guest.named = ANY(${
          namesOf(account)
        }::text[])
          GROUP BY test.id ORDER BY max(guest.invited_at) DESC, test.id LIMIT ${mostShown}`)
      }, Effect.orDie)

      /** Answers what is open, and tells the name of the test app. */
      const answer = Effect.fnUntraced(
        function*(account: Account, testId: string, isAccepted: boolean) {
          if (!isPlausible(testId)) return []
          const at = DateTime.toDateUtc(yield* DateTime.now)
          const set = isAccepted ? sql`account_id = ${account.id}, accepted_at = ${at}` : sql`declined_at = ${at}`
          return yield* allAnswered(sql`UPDATE test_guests guest SET ${set} FROM clients test
            WHERE test.id = guest.client_id AND test.id = ${testId} AND guest.accepted_at IS NULL
              AND guest.declined_at IS NULL AND guest.named = ANY(${namesOf(account)}::text[])
            RETURNING test.name, test.test_of`)
        }
      )

      const record = (action: string, userId: UserId, clientId: ClientId, testApp: string) =>
        audit.record({ actor: userId, action, clientId, userId, details: { testApp } })

      const accept = Effect.fn("TestInvitations.accept")(
        function*(account: Account, testId: string) {
          const [first] = yield* answer(account, testId, true)
          if (first === undefined) return undefined
          yield* record("test_app.accepted", account.id, first.testOf, testId)
          return first.name
        },
        inTransaction(sql)
      )

      // The trail says nothing of what concerns nobody else.
      const decline = Effect.fn("TestInvitations.decline")((account: Account, testId: string) =>
        Effect.orDie(Effect.map(answer(account, testId, false), ([first]) => first?.name))
      )

      const leave = Effect.fn("TestInvitations.leave")(
        function*(account: Account, testId: string) {
          if (!isPlausible(testId)) return undefined
          yield* TransactionLock.take(sql, `consents ${testId}`)
          const rows = yield* allLeft(sql`DELETE FROM test_guests guest USING clients test
            WHERE test.id = guest.client_id AND test.id = ${testId} AND guest.account_id = ${account.id}
            RETURNING test.id, test.name, test.test_of, test.owner_id`)
          const [first] = rows
          if (first === undefined) return undefined
          if ((yield* roleOf(account.id, first)) === undefined) yield* endGiven(account.id, account.id, first.id)
          yield* record("test_app.left", account.id, first.testOf, testId)
          return first.name
        },
        inTransaction(sql)
      )

      return TestInvitations.of({
        list,
        accept,
        decline,
        leave
      })
    })
  )
}

const mostShown = 50

const AnsweredRow = Schema.Struct({ name: Schema.String, testOf: ClientId })
const allAnswered = Rows.all(AnsweredRow)
const allLeft = Rows.all(Schema.Struct({ ...AnsweredRow.fields, id: ClientId, ownerId: UserId }))
const allInvitations = Rows.all(Invitation)
