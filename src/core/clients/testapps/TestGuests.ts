import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { type BadRequest, Conflict, NotFound } from "../../../domain/ApiError.ts"
import { type ClientId, UserId } from "../../../domain/Ids.ts"
import * as Input from "../../../domain/Input.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import * as TransactionLock from "../../../foundation/database/TransactionLock.ts"
import { Email, Username } from "../../accounts/people/Account.ts"
import * as InvitedName from "../../accounts/people/InvitedName.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { Budgets } from "../../limits/Budgets.ts"
import { appAccess, appsOf } from "../records/AppAccess.ts"
import type { Client } from "../records/Client.ts"
import { isPlausible } from "../records/ClientsRepo.ts"
import { guestRevocation } from "./GuestRevocation.ts"
import { mostGuests, TestGuest } from "./TestGuest.ts"

/**
 * Guests of test apps: whom owners invite; what those do about it is in `TestInvitations`. Consent asks here who may
 * use a test app. The owner learns of nobody who has not accepted: an invitation is kept by what was entered, and finds
 * its account when that looks for it.
 */
export class TestGuests extends Context.Service<TestGuests, {
  /** Tells if the user is an owner, or a guest who has accepted, of a test app that can be used. */
  mayUse(test: Client, userId: UserId): Effect.Effect<boolean>
  list(testId: ClientId): Effect.Effect<ReadonlyArray<TestGuest>>
  /** Invites whose account has this address or user name, if anybody's has; the caller has checked whose app it is. */
  invite(by: UserId, test: Client, named: string): Effect.Effect<void, BadRequest | Conflict>
  /** Takes an invitation back, or ends what the guest gave the test app. */
  dismiss(by: UserId, test: Client, guestId: string): Effect.Effect<void, NotFound>
}>()("slotkey/core/clients/testapps/TestGuests") {
  static readonly layer = Layer.effect(
    TestGuests,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const budgets = yield* Budgets
      const endGiven = yield* guestRevocation
      const { roleOf } = yield* appAccess

      const mayUse = Effect.fn("TestGuests.mayUse")(function*({ id }: Client, userId: UserId) {
        const rows = yield* sql`SELECT 1 FROM clients test JOIN clients app ON app.id = test.test_of
          WHERE test.id = ${id} AND test.status = 'approved' AND (app.id IN ${appsOf(sql, userId)} OR EXISTS (
            SELECT FROM test_guests
            WHERE client_id = test.id AND account_id = ${userId} AND accepted_at IS NOT NULL))`
        return rows.length > 0
      }, Effect.orDie)

      const list = Effect.fn("TestGuests.list")(
        (testId: ClientId) =>
          allGuests(sql`SELECT id::text, named, invited_at, accepted_at FROM test_guests
            WHERE client_id = ${testId} ORDER BY invited_at, id`),
        Effect.orDie
      )

      const invite = Effect.fn("TestGuests.invite")(
        function*(by: UserId, { id, testOf }: Client, entered: string) {
          const { guest } = yield* decodeGuest({ guest: entered })
          const named = InvitedName.fold(guest)
          // Others that change the guests of this test app wait.
          yield* sql`SELECT 1 FROM clients WHERE id = ${id} FOR NO KEY UPDATE`
          const guests = yield* list(id)
          if (guests.some((one) => one.named === named)) return
          if (guests.length >= mostGuests) return yield* tooManyGuests
          yield* budgets.spend("invitation", by)
          const invitedAt = DateTime.toDateUtc(yield* DateTime.now)
          yield* sql`INSERT INTO test_guests ${
            sql.insert({ id: yield* Effect.sync(randomUUID), clientId: id, named, invitedAt })
          }`
          // The trail outlives the invitation, and has no address.
          yield* audit.record({
            actor: by,
            action: "test_app.invited",
            ...(typeof testOf === "string" ? { clientId: testOf } : {}),
            details: { testApp: id }
          })
        },
        inTransaction(sql)
      )

      const dismiss = Effect.fn("TestGuests.dismiss")(
        function*(by: UserId, test: Client, guestId: string) {
          const { id, testOf } = test
          if (!isPlausible(guestId)) return yield* guestNotFound
          yield* TransactionLock.take(sql, `consents ${id}`)
          const gone = yield* allAccounts(sql`DELETE FROM test_guests WHERE client_id = ${id} AND (id::text = ${guestId}
            OR account_id = (SELECT account_id FROM test_guests WHERE client_id = ${id} AND id::text = ${guestId}))
            RETURNING account_id`)
          if (gone.length === 0) return yield* guestNotFound
          // An owner of the app uses its test app without an invitation.
          for (const userId of new Set(gone.flatMap(({ accountId }) => accountId ?? []))) {
            if ((yield* roleOf(userId, test)) === undefined) yield* endGiven(by, userId, id)
          }
          yield* audit.record({
            actor: by,
            action: "test_app.dismissed",
            ...(typeof testOf === "string" ? { clientId: testOf } : {}),
            details: { testApp: id }
          })
        },
        inTransaction(sql)
      )

      return TestGuests.of({
        mayUse,
        list,
        invite,
        dismiss
      })
    })
  )
}

/** An invitation that nobody accepts is forgotten: it may be the address of somebody who has no account here. */
const invitationLifetime = Duration.days(30)

export const sweeps = [
  Sweep.where(
    {
      table: "test_guests",
      rows: "invitations to use a test app that were not accepted",
      retention: invitationLifetime
    },
    (sql, ago) => sql`accepted_at IS NULL AND invited_at <= ${ago(invitationLifetime)}`
  )
]

/** Makes what forgets that an account, which is deleted, was a guest. */
export const forgetGuest = Effect.map(
  SqlClient.SqlClient,
  (sql) => (userId: UserId) => sql`DELETE FROM test_guests WHERE account_id = ${userId}`
)

const decodeGuest = Input.decode(Schema.Struct({ guest: Schema.Union([Email, Username]) }))

const allAccounts = Rows.all(Schema.Struct({ accountId: Schema.NullOr(UserId) }))
const allGuests = Rows.all(TestGuest)

const tooManyGuests = new Conflict({
  code: "too_many_guests",
  message: `A test app has at most ${mostGuests} guests, with those who have not answered. Remove one first.`
})
const guestNotFound = new NotFound({ code: "guest_not_found", message: "This test app has no such guest." })
