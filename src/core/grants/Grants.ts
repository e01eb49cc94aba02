import { Array, Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import type { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Mailbox from "../../foundation/database/Mailbox.ts"
import { ClientsRepo } from "../clients/ClientsRepo.ts"
import { SecretCheck } from "../clients/SecretCheck.ts"
import type { Redeemed, Redemption } from "./CodeRedemption.ts"
import { CodeStore } from "./CodeStore.ts"
import { fromRow, type Grant, type GrantRow } from "./Grant.ts"
import { judge, type Rotated, type Rotation } from "./RefreshRotation.ts"
import * as RotateStatement from "./RotateStatement.ts"

/** How many users have a live grant of a client, and when the last of them gave one. */
export interface Usage {
  readonly users: number
  readonly authorizedAt: DateTime.Utc | null
}

/** Grants: the unit of consent, whose fate all its tokens share. The only one to touch `grants`. */
export class Grants extends Context.Service<Grants, {
  /** The grant, if it lives: not revoked, not expired, not idle for too long. */
  isLive(grantId: GrantId): Effect.Effect<Option.Option<Grant>, TemporarilyUnavailable>
  /** For each id whose grant is live, whether its client is approved. */
  usableAmong(grantIds: ReadonlyArray<GrantId>): Effect.Effect<ReadonlyMap<GrantId, boolean>, SqlError.SqlError>
  /** The live grants of one user and client. */
  liveFor(userId: UserId, clientId: ClientId): Effect.Effect<ReadonlyArray<Grant>>
  /** The live grants of a user, newest first. */
  listForUser(userId: UserId): Effect.Effect<ReadonlyArray<Grant>>
  /** Who uses the client now. */
  usage(clientId: ClientId): Effect.Effect<Usage>
  /** Spends a code and opens the grant that it stands for, or tells why not. */
  redeem(redemption: Redemption): Effect.Effect<Redeemed, TemporarilyUnavailable>
  /** Replaces a refresh token by the next generation, or tells why not. */
  rotate(rotation: Rotation): Effect.Effect<Rotated, TemporarilyUnavailable>
  /** Inserts unrestricted grants imported from another server; joins the caller's transaction. */
  adopt(grants: Array.NonEmptyReadonlyArray<Adopted>): Effect.Effect<void>
  /** Ends one grant; answers whether it was not ended before. Joins the caller's transaction, as the next two do. */
  revoke(grantId: GrantId, reason: string): Effect.Effect<boolean>
  /** Ends what the user granted to the client, or to all, unspent codes included; answers how many grants. */
  disconnect(userId: UserId, clientId?: ClientId): Effect.Effect<number>
  /** Ends what the user granted to the client without restriction: `by` has taken its place. Answers how many grants. */
  supersede(userId: UserId, clientId: ClientId, by: GrantId): Effect.Effect<number>
}>()("slotkey/core/grants/Grants") {
  static readonly layer: Layer.Layer<Grants, never, SqlClient.SqlClient | AppConfig | CodeStore | SecretCheck> = Layer
    .effect(
      Grants,
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const clients = yield* ClientsRepo
        const codes = yield* CodeStore
        const secrets = yield* SecretCheck
        const { grantIdleLifetime, grantLifetime, refreshGrace } = yield* AppConfig

        const plain = sql.withoutTransforms()

        const live = (now: DateTime.Utc) =>
          sql`revoked_at IS NULL AND expires_at > ${DateTime.toDateUtc(now)}
          AND rotated_at > ${DateTime.toDateUtc(DateTime.subtractDuration(now, grantIdleLifetime))}`

        const select = (where: Statement.Fragment) =>
          Effect.map(sql<GrantRow>`SELECT * FROM grants WHERE ${where}`, (rows) => rows.map(fromRow))

        const list = (where: Statement.Fragment) =>
          DateTime.now.pipe(
            Effect.flatMap((now) => select(sql`${where} AND ${live(now)} ORDER BY created_at DESC, id DESC`)),
            Effect.orDie
          )

        const usage = Effect.fn("Grants.usage")(function*(clientId: ClientId) {
          const [row] = yield* sql<{ users: number; authorizedAt: Date | null }>`
          SELECT count(DISTINCT user_id)::int AS users, max(created_at) AS authorized_at FROM grants
          WHERE client_id = ${clientId} AND ${live(yield* DateTime.now)}`
          const authorizedAt = row?.authorizedAt ?? null
          return { users: row?.users ?? 0, authorizedAt: authorizedAt && DateTime.fromDateUnsafe(authorizedAt) }
        }, Effect.orDie)

        const usableAmong = Effect.fnUntraced(function*(ids: ReadonlyArray<GrantId>) {
          const found = yield* plain<{ id: GrantId; usable: boolean }>`
          SELECT g.id, c.id IS NOT NULL AS usable FROM grants g LEFT JOIN (${clients.selectApproved}) c ON c.id = g.client_id
          WHERE g.id = ANY(${ids}::uuid[]) AND ${live(yield* DateTime.now)}`
          return new Map(found.map(({ id, usable }) => [id, usable]))
        })

        const isLive = yield* Mailbox.make({
          handle: (ids: Mailbox.Batch<GrantId>) =>
            Effect.gen(function*() {
              const found = byId(yield* select(sql`id = ANY(${ids}::uuid[]) AND ${live(yield* DateTime.now)}`))
              return ids.map((id) => Option.fromUndefinedOr(found.get(id)))
            })
        })

        // The rest of the statement that spends codes.
        const open = (spent: Statement.Fragment, now: Date) =>
          sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
          SELECT s.*, t.now, t.now, t.expires_at FROM (${spent}) s, (SELECT ${now}::timestamptz AS now,
            ${DateTime.toDateUtc(DateTime.addDuration(DateTime.fromDateUnsafe(now), grantLifetime))}::timestamptz
              AS expires_at) t
          RETURNING id, user_id, scopes`

        const redeem = yield* Mailbox.make({
          handle: (batch: Mailbox.Batch<Redemption>) => codes.redeem(batch, open)
        })

        const advance = RotateStatement.make(plain, secrets)

        const rotate = yield* Mailbox.make({
          handle: (batch: Mailbox.Batch<Rotation>) =>
            Effect.gen(function*() {
              const now = yield* DateTime.now
              const won = yield* advance(batch, now, live(now))
              const others = batch.filter((_, at) => !won.has(at))
              const ids = others.map(({ grantId }) => grantId)
              const found = byId(ids.length === 0 ? [] : yield* select(sql`id = ANY(${ids}::uuid[])`))
              return batch.map((rotation, at): Rotated =>
                won.get(at) ?? judge(rotation, found.get(rotation.grantId), now, { grantIdleLifetime, refreshGrace })
              )
            })
        })

        const adopt = Effect.fn("Grants.adopt")(function*(adopted: Array.NonEmptyReadonlyArray<Adopted>) {
          const now = yield* DateTime.now
          const at = DateTime.toDateUtc(now)
          const longest = DateTime.addDuration(now, grantLifetime)
          yield* sql`INSERT INTO grants ${
            sql.insert(Array.map(adopted, ({ clientId, expiresAt, grantId, handleDigest, userId }) => ({
              id: grantId,
              handleDigest,
              clientId,
              userId,
              rotatedAt: at,
              createdAt: at,
              expiresAt: DateTime.toDateUtc(expiresAt === null ? longest : DateTime.min(expiresAt, longest))
            })))
          }`
        }, Effect.orDie)

        // Locked in key order, as the mailboxes do it: neither waits for the other in a circle.
        const end = Effect.fnUntraced(function*(where: Statement.Fragment, reason: string) {
          const now = DateTime.toDateUtc(yield* DateTime.now)
          const rows = yield* sql`UPDATE grants SET revoked_at = ${now}, revocation_reason = ${reason}
          WHERE id IN (SELECT id FROM grants WHERE ${where} AND revoked_at IS NULL ORDER BY id FOR UPDATE) RETURNING id`
          return rows.length
        })

        const revoke = Effect.fn("Grants.revoke")(function*(grantId: GrantId, reason: string) {
          return (yield* end(sql`id = ${grantId}`, reason)) > 0
        }, Effect.orDie)

        // Codes first: one that is being spent meanwhile has become a grant by the second statement.
        const disconnect = Effect.fn("Grants.disconnect")((userId: UserId, clientId?: ClientId) =>
          codes.withdraw(userId, clientId).pipe(
            Effect.andThen(end(
              clientId === undefined ? sql`user_id = ${userId}` : sql`user_id = ${userId} AND client_id = ${clientId}`,
              "disconnected"
            )),
            sql.withTransaction,
            Effect.orDie
          )
        )

        const supersede = Effect.fn("Grants.supersede")((userId: UserId, clientId: ClientId, by: GrantId) =>
          end(
            sql`user_id = ${userId} AND client_id = ${clientId} AND scopes IS NULL AND id <> ${by}`,
            "superseded"
          ).pipe(Effect.orDie)
        )

        return Grants.of({
          isLive,
          usableAmong,
          liveFor: Effect.fn("Grants.liveFor")((userId, clientId) =>
            list(sql`user_id = ${userId} AND client_id = ${clientId}`)
          ),
          listForUser: Effect.fn("Grants.listForUser")((userId) => list(sql`user_id = ${userId}`)),
          usage,
          redeem,
          rotate,
          adopt,
          revoke,
          disconnect,
          supersede
        })
      })
    ).pipe(Layer.provide(ClientsRepo.layer))
}

const byId = (grants: ReadonlyArray<Grant>) => new Map(grants.map((grant) => [grant.id, grant]))

/** What a server before us has granted. */
export interface Adopted {
  readonly grantId: GrantId
  readonly clientId: ClientId
  readonly userId: UserId
  readonly handleDigest: Uint8Array
  readonly expiresAt: DateTime.Utc | null
}
