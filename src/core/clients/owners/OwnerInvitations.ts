import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../../domain/Ids.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import type { Account } from "../../accounts/people/Account.ts"
import { namesOf } from "../../accounts/people/InvitedName.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import type { Operator } from "../../audit/Operator.ts"
import { clientCommands } from "../life/ClientCommands.ts"
import { transfer } from "../life/Transfer.ts"
import { appAccess } from "../records/AppAccess.ts"
import { ClientsRepo, isPlausible } from "../records/ClientsRepo.ts"
import { CoOwnerRole } from "../records/CoOwnerRole.ts"
import { Offer } from "./CoOwner.ts"
import { ownersNews } from "./OwnersNews.ts"
import { partEnd } from "./PartEnd.ts"

/** Name of the app that was answered about; nothing if there was no such invitation. */
type Answered = string | undefined

/** Invitations to share apps, as the people have them whom they name; their page of apps and the API show them. */
export class OwnerInvitations extends Context.Service<OwnerInvitations, {
  list(account: Account): Effect.Effect<ReadonlyArray<Offer>>
  /** Makes the person a co-owner, and asks reviewers that the app be theirs if that was offered. */
  accept(account: Account, appId: string): Effect.Effect<Answered>
  /** Says no; the owners are not told. */
  decline(account: Account, appId: string): Effect.Effect<Answered>
}>()("slotkey/core/clients/owners/OwnerInvitations") {
  static readonly layer = Layer.effect(
    OwnerInvitations,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const repo = yield* ClientsRepo
      const commands = yield* clientCommands
      const { peopleWho } = yield* appAccess
      const news = yield* ownersNews

      const isFor = (account: Account) =>
        sql`invited.declined_at IS NULL AND invited.named = ANY(${namesOf(account)}::text[])
          AND app.owner_id <> ${account.id}`

      const list = Effect.fn("OwnerInvitations.list")((account: Account) =>
        Effect.orDie(allOffers(sql`SELECT app.id AS client_id, app.name, app.website, app.owner_id,
            CASE WHEN bool_or(invited.role = 'owner') THEN 'owner' ELSE 'developer' END AS role,
            bool_or(invited.takes_over) AS takes_over
          FROM owner_invitations invited JOIN clients app ON app.id = invited.client_id
          WHERE ${isFor(account)} GROUP BY app.id ORDER BY max(invited.invited_at) DESC, app.id LIMIT ${mostShown}`))
      )

      const accept = Effect.fn("OwnerInvitations.accept")(
        function*(account: Account, appId: string) {
          const client = Option.getOrUndefined(yield* repo.lock(appId))
          if (client === undefined) return undefined
          const taken = yield* allTaken(sql`DELETE FROM owner_invitations invited USING clients app
            WHERE app.id = invited.client_id AND app.id = ${client.id} AND ${isFor(account)}
            RETURNING invited.role, invited.takes_over`)
          if (taken.length === 0) return undefined
          const role: CoOwnerRole = taken.some((one) => one.role === "owner") ? "owner" : "developer"
          const since = DateTime.toDateUtc(yield* DateTime.now)
          yield* sql`INSERT INTO client_owners AS o (client_id, account_id, role, since)
            VALUES (${client.id}, ${account.id}, ${role}, ${since})
            ON CONFLICT (client_id, account_id) DO UPDATE SET role = excluded.role WHERE o.role <> 'owner'`
          yield* audit.record({
            actor: account.id,
            action: "client.owner_joined",
            clientId: client.id,
            userId: account.id,
            details: { role }
          })
          const owners = (yield* peopleWho("owners", client)).filter((userId) => userId !== account.id)
          yield* news.tell(client, owners, { event: "joined", person: account.id, role })
          if (taken.some(({ takesOver }) => takesOver)) {
            // Rejected meanwhile, the app stays whose it is, and is shared.
            const next = yield* commands.run(
              { id: client.ownerId, as: "owner" },
              client.id,
              (it, now) => transfer(it, account.id, now)
            ).pipe(Effect.catchTag("Conflict", () => Effect.succeed(client)))
            yield* news.transferAsked(client, next)
          }
          return client.name
        },
        inTransaction(sql),
        Effect.orDie
      )

      const decline = Effect.fn("OwnerInvitations.decline")(function*(account: Account, appId: string) {
        if (!isPlausible(appId)) return undefined
        const at = DateTime.toDateUtc(yield* DateTime.now)
        // The trail says nothing of what concerns nobody else.
        const [first] = yield* allDeclined(sql`UPDATE owner_invitations invited SET declined_at = ${at} FROM clients app
          WHERE app.id = invited.client_id AND app.id = ${appId} AND ${isFor(account)} RETURNING app.name`)
        return first?.name
      }, Effect.orDie)

      return OwnerInvitations.of({ list, accept, decline })
    })
  )
}

/** An invitation that nobody accepts is forgotten: it may be the address of somebody who has no account here. */
const invitationLifetime = Duration.days(30)

export const sweeps = [
  Sweep.where(
    {
      table: "owner_invitations",
      rows: "invitations to share an app that were not accepted",
      retention: invitationLifetime
    },
    (sql, ago) => sql`invited_at <= ${ago(invitationLifetime)}`
  )
]

/**
 * Makes what ends the parts that an account, which is deleted, has in apps of others, with the wish that one be theirs;
 * their owners see it in the list. Joins the caller's transaction.
 */
export const forgetCoOwner = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const repo = yield* ClientsRepo
  const end = yield* partEnd

  return Effect.fnUntraced(function*(userId: UserId, by: Operator | UserId) {
    const shared = yield* sql<{ readonly clientId: string }>`SELECT client_id FROM client_owners
      WHERE account_id = ${userId} ORDER BY client_id`
    for (const { clientId } of shared) {
      const client = yield* repo.lock(clientId)
      if (Option.isSome(client)) yield* end(by, client.value, userId)
    }
  }, Effect.orDie)
})

const mostShown = 50

const allOffers = Rows.all(Offer)
const allTaken = Rows.all(Schema.Struct({ role: CoOwnerRole, takesOver: Schema.Boolean }))
const allDeclined = Rows.all(Schema.Struct({ name: Schema.String }))
