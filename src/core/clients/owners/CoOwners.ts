import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { type BadRequest, Conflict, type Forbidden, NotFound } from "../../../domain/ApiError.ts"
import type { UserId } from "../../../domain/Ids.ts"
import * as Input from "../../../domain/Input.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { Email, Username } from "../../accounts/people/Account.ts"
import * as InvitedName from "../../accounts/people/InvitedName.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { Budgets } from "../../limits/Budgets.ts"
import { clientCommands } from "../life/ClientCommands.ts"
import { transfer, withdrawTransfer } from "../life/Transfer.ts"
import { appAccess, type AppAct, mayDo } from "../records/AppAccess.ts"
import type { ManagedClient } from "../records/Client.ts"
import { ClientsRepo } from "../records/ClientsRepo.ts"
import { CoOwnerRole } from "../records/CoOwnerRole.ts"
import { CoOwner, mostCoOwners, OwnerInvitation, type Owners } from "./CoOwner.ts"
import { ownersNews } from "./OwnersNews.ts"
import { partEnd } from "./PartEnd.ts"

/** Invitation as it was entered. */
export interface InvitationInput {
  /** Address or user name of an account. */
  readonly person: string
  readonly role: string
  readonly takesOver?: boolean | undefined
}

/**
 * Who shares an app with its first owner, and whose it becomes: the pages and the API of developers call it. Owners
 * invite; what the invited do about it is in `OwnerInvitations`. Who may do what says `AppAccess`. Everything happens
 * under the app's row lock.
 */
export class CoOwners extends Context.Service<CoOwners, {
  list(by: UserId, appId: string): Effect.Effect<Owners, NotFound>
  /**
   * Invites whose account has this address or user name, if anybody's has. One who is to take the app over is asked for
   * by the first owner alone.
   */
  invite(
    by: UserId,
    appId: string,
    input: InvitationInput
  ): Effect.Effect<void, BadRequest | NotFound | Forbidden | Conflict>
  /** Takes an invitation back. */
  uninvite(by: UserId, appId: string, invitationId: string): Effect.Effect<void, NotFound | Forbidden>
  setRole(
    by: UserId,
    appId: string,
    accountId: string,
    role: string
  ): Effect.Effect<void, BadRequest | NotFound | Forbidden>
  /** Ends the part of a co-owner, who may end their own whatever their role; that the app becomes theirs, too. */
  remove(by: UserId, appId: string, accountId: string): Effect.Effect<void, NotFound | Forbidden | Conflict>
  /** Asks reviewers that the app be a co-owner's. */
  transfer(
    by: UserId,
    appId: string,
    accountId: string
  ): Effect.Effect<ManagedClient, NotFound | Forbidden | Conflict>
  withdrawTransfer(by: UserId, appId: string): Effect.Effect<ManagedClient, NotFound | Forbidden | Conflict>
}>()("slotkey/core/clients/owners/CoOwners") {
  static readonly layer = Layer.effect(
    CoOwners,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const budgets = yield* Budgets
      const repo = yield* ClientsRepo
      const access = yield* appAccess
      const commands = yield* clientCommands
      const end = yield* partEnd
      const news = yield* ownersNews

      const lock = (act: AppAct, by: UserId, appId: string) =>
        Effect.flatMap(repo.lock(appId), (found) => access.allow(by, found, act))

      const coOwnersOf = ({ id, ownerId }: ManagedClient) =>
        Effect.orDie(allCoOwners(sql`SELECT account_id, role, since FROM client_owners
          WHERE client_id = ${id} AND account_id <> ${ownerId} ORDER BY since, account_id`))

      const invitationsOf = ({ id }: ManagedClient) =>
        Effect.orDie(allInvitations(sql`SELECT id::text, named, role, takes_over, invited_at FROM owner_invitations
          WHERE client_id = ${id} ORDER BY invited_at, id`))

      const coOwner = Effect.fnUntraced(function*(client: ManagedClient, accountId: string) {
        const found = (yield* coOwnersOf(client)).find((one) => one.accountId === accountId)
        return found === undefined ? yield* coOwnerNotFound : found
      })

      const list = Effect.fn("CoOwners.list")(function*(by: UserId, appId: string) {
        const client = yield* Effect.flatMap(repo.get(appId), (found) => access.see(by, found))
        const { change, ownerId } = client
        return {
          ownerId,
          nextOwnerId: change?.isWaiting === true ? change.nextOwnerId ?? null : null,
          coOwners: yield* coOwnersOf(client),
          invitations: mayDo(yield* access.roleOf(by, client), "owners") ? yield* invitationsOf(client) : []
        }
      })

      const invite = Effect.fn("CoOwners.invite")(
        function*(by: UserId, appId: string, { takesOver = false, ...entered }: InvitationInput) {
          const client = yield* lock(takesOver ? "transfer" : "owners", by, appId)
          if (client.isTestApp) return yield* ofItsApp
          const { person, role } = yield* decodeInvitation(entered)
          const named = InvitedName.fold(person)
          const open = yield* invitationsOf(client)
          const isKnown = open.some((one) => one.named === named && one.role === role && one.takesOver === takesOver)
          if (isKnown) return
          const others = open.filter((one) => one.named !== named)
          if (others.length + (yield* coOwnersOf(client)).length >= mostCoOwners) return yield* tooMany
          yield* budgets.spend("invitation", by)
          const invitedAt = DateTime.toDateUtc(yield* DateTime.now)
          const row = { id: yield* Effect.sync(randomUUID), clientId: client.id, named, role, takesOver, invitedAt }
          // Asked again for another role, somebody who has declined is asked again.
          yield* sql`DELETE FROM owner_invitations WHERE client_id = ${client.id} AND named = ${named}`
          yield* sql`INSERT INTO owner_invitations ${sql.insert(row)}`
          // The trail outlives the invitation, and has no address.
          yield* audit.record({ actor: by, action: "client.owner_invited", clientId: client.id, details: { role } })
        },
        inTransaction(sql)
      )

      const uninvite = Effect.fn("CoOwners.uninvite")(
        function*(by: UserId, appId: string, invitationId: string) {
          const { id } = yield* lock("owners", by, appId)
          const gone = yield* sql`DELETE FROM owner_invitations WHERE client_id = ${id} AND id::text = ${
            uuid.test(invitationId) ? invitationId : ""
          } RETURNING 1`
          if (gone.length === 0) return yield* invitationNotFound
          yield* audit.record({ actor: by, action: "client.owner_uninvited", clientId: id })
        },
        inTransaction(sql)
      )

      const setRole = Effect.fn("CoOwners.setRole")(
        function*(by: UserId, appId: string, accountId: string, entered: string) {
          const client = yield* lock("owners", by, appId)
          const { role } = yield* decodeRole({ role: entered })
          const before = yield* coOwner(client, accountId)
          if (before.role === role) return
          yield* budgets.spend("change", by)
          yield* sql`UPDATE client_owners SET role = ${role} WHERE client_id = ${client.id} AND account_id = ${accountId}`
          yield* audit.record({
            actor: by,
            action: "client.owner_role_changed",
            clientId: client.id,
            userId: before.accountId,
            details: { from: before.role, to: role }
          })
          yield* news.tell(client, [before.accountId], { event: "role_changed", person: before.accountId, role })
        },
        inTransaction(sql)
      )

      const remove = Effect.fn("CoOwners.remove")(
        function*(by: UserId, appId: string, accountId: string) {
          const client = yield* lock(by === accountId ? "use" : "owners", by, appId)
          if (client.ownerId === accountId) return yield* isFirst
          const before = yield* coOwner(client, accountId)
          yield* end(by, client, before.accountId)
          const isLeaving = by === accountId
          yield* audit.record({
            actor: by,
            action: isLeaving ? "client.owner_left" : "client.owner_removed",
            clientId: client.id,
            userId: before.accountId,
            details: { role: before.role }
          })
          if (!isLeaving) {
            return yield* news.tell(client, [before.accountId], { event: "removed", person: before.accountId })
          }
          const owners = yield* access.peopleWho("owners", client)
          yield* news.tell(client, owners, { event: "left", person: before.accountId })
        },
        inTransaction(sql)
      )

      const askTransfer = Effect.fn("CoOwners.transfer")(
        function*(by: UserId, appId: string, accountId: string) {
          const before = yield* lock("transfer", by, appId)
          const next = yield* coOwner(before, accountId)
          const client = yield* commands.runAs("transfer", by, appId, (it, now) => transfer(it, next.accountId, now))
          yield* news.transferAsked(before, client)
          return client
        },
        inTransaction(sql)
      )

      const withdraw = Effect.fn("CoOwners.withdrawTransfer")(
        function*(by: UserId, appId: string) {
          const before = yield* lock("transfer", by, appId)
          const client = yield* commands.runAs("transfer", by, appId, withdrawTransfer)
          yield* news.transferWithdrawn(before)
          return client
        },
        inTransaction(sql)
      )

      return CoOwners.of({
        list,
        invite,
        uninvite,
        setRole,
        remove,
        transfer: askTransfer,
        withdrawTransfer: withdraw
      })
    })
  )
}

const uuid = /^[\da-f-]{36}$/
const decodeInvitation = Input.decode(Schema.Struct({ person: Schema.Union([Email, Username]), role: CoOwnerRole }))
const decodeRole = Input.decode(Schema.Struct({ role: CoOwnerRole }))

const allCoOwners = Rows.all(CoOwner)
const allInvitations = Rows.all(OwnerInvitation)

const tooMany = new Conflict({
  code: "too_many_owners",
  message: `An app has at most ${mostCoOwners} co-owners, with those who have not answered. Remove one first.`
})
const ofItsApp = new Conflict({ code: "test_app", message: "A test app has the owners of its app." })
const isFirst = new Conflict({
  code: "first_owner",
  message: "The first owner of an app stays until a reviewer has approved that it is another's."
})
const coOwnerNotFound = new NotFound({ code: "owner_not_found", message: "This app has no such co-owner." })
const invitationNotFound = new NotFound({
  code: "invitation_not_found",
  message: "This app has no such invitation, or it was answered."
})
