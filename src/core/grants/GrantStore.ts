import { Array, Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { retryRolledBack } from "../../foundation/database/RetryRolledBack.ts"
import { AppEvents } from "../clients/events/AppEvents.ts"
import { type ConsentTerms, fromRow, type Grant, type GrantRow, superseded } from "./Grant.ts"
import * as GrantColumns from "./GrantColumns.ts"
import { grantEnds, type RevocationReason } from "./GrantEnds.ts"
import * as LiveCondition from "./LiveCondition.ts"
import * as ReadAhead from "./ReadAhead.ts"
import type { Rotation, RotationOutcome } from "./RefreshRotation.ts"
import * as Rotations from "./Rotations.ts"
import { mostCounted, type Usage } from "./Usage.ts"

/** A grant to be opened. */
export interface NewGrant
  extends Partial<ConsentTerms>, Pick<Grant, "id" | "handleDigest" | "clientId" | "userId" | "scopes">
{
  /** Identifier of the resource for which it is; absent or `null` for the API. */
  readonly resource?: string | null
  /** When it expires, if that is before the lifetime of grants (`GRANT_LIFETIME`) ends. */
  readonly expiresAt: DateTime.Utc | null
  /** For a grant taken over from another server: whether that server rotated refresh tokens. */
  readonly importedRotates?: boolean
  /** For such a grant: the days after which it ends unless it is refreshed; `null` for no such end. */
  readonly idleDays?: number | null
  /** For such a grant: the time at which that server issued its token, if anybody knows. */
  readonly issuedAt?: DateTime.Utc | null
}

/** Facts about a grant on which the answer to a call depends. */
export interface GrantStatus {
  /** Use that can be made of it now. */
  readonly status: "usable" | "client-not-approved" | "ended"
  /** Current generation if no use of it was noted yet (`FirstUses`), else 0. */
  readonly unusedGeneration: number
  /** Whose it is; `null` of a grant that has ended. */
  readonly userId: UserId | null
  readonly clientId: ClientId | null
}

/**
 * Keeps grants: the table `grants`. Only `Grants`, a `CodeStore` and the import of legacy clients call it. Methods that
 * take a batch answer in its order.
 */
export class GrantStore extends Context.Service<GrantStore, {
  /** Opens grants, all or none, and answers the time; joins the caller's transaction. */
  open(grants: Array.NonEmptyReadonlyArray<NewGrant>): Effect.Effect<DateTime.Utc>
  /**
   * Replaces refresh tokens, each by the next generation. Of any number of concurrent rotations of one token at most
   * one succeeds, and only for an approved client that authenticates.
   */
  rotate(batch: ReadonlyArray<Rotation>): Effect.Effect<ReadonlyArray<RotationOutcome>>
  /** Finds grants that are live: not revoked, not expired, not idle for too long. */
  findLive(ids: ReadonlyArray<GrantId>): Effect.Effect<ReadonlyArray<Option.Option<Grant>>>
  statusOf(ids: ReadonlyArray<GrantId>): Effect.Effect<ReadonlyArray<GrantStatus>>
  /** Lists the live grants of a user, newest first: those of one client or all. */
  listLive(userId: UserId, clientId?: ClientId): Effect.Effect<ReadonlyArray<Grant>>
  /** Counts the users of a client, as far as `mostCounted`. */
  usage(clientId: ClientId): Effect.Effect<Usage>
  /** Ends one grant; answers whether it had not ended before. Joins the caller's transaction, as the next two do. */
  revoke(grantId: GrantId, reason: RevocationReason): Effect.Effect<boolean>
  /** Ends the grants of a user, those of one client or all; answers their number. */
  revokeAll(userId: UserId, clientId: ClientId | undefined, reason: RevocationReason): Effect.Effect<number>
  /** Ends the legacy grants of a user and client except the one that takes their place; answers their number. */
  supersede(userId: UserId, clientId: ClientId, by: GrantId): Effect.Effect<number>
}>()("slotkey/core/grants/GrantStore") {
  static readonly layer = Layer.effect(
    GrantStore,
    Effect.gen(function*() {
      const clock = yield* DatabaseClock
      const sql = yield* SqlClient.SqlClient
      const plain = sql.withoutTransforms()
      const { grantIdleLifetime, grantLifetime } = yield* AppConfig
      const readAhead = yield* ReadAhead.make

      const live = LiveCondition.make(sql, grantIdleLifetime)

      const select = (where: Statement.Fragment) =>
        Effect.map(sql<GrantRow>`SELECT ${GrantColumns.of()} FROM grants WHERE ${where}`, (rows) => rows.map(fromRow))

      const open = Effect.fn("GrantStore.open")(function*(grants: Array.NonEmptyReadonlyArray<NewGrant>) {
        const now = yield* clock.now
        const latest = DateTime.addDuration(now, grantLifetime)
        const rows = Array.map(
          grants,
          ({ expiresAt, idleDays, importedRotates, issuedAt, ...grant }) => ({
            id: grant.id,
            handleDigest: grant.handleDigest,
            clientId: grant.clientId,
            userId: grant.userId,
            scopes: grant.scopes,
            declined: grant.declined ?? null,
            browser: grant.browser ?? null,
            place: grant.place ?? null,
            resource: grant.resource ?? null,
            rotatedAt: DateTime.toDateUtc(now),
            createdAt: DateTime.toDateUtc(now),
            expiresAt: DateTime.toDateUtc(expiresAt === null ? latest : DateTime.min(expiresAt, latest)),
            importedRotates: importedRotates ?? null,
            idleDays: idleDays ?? null,
            issuedAt: issuedAt ? DateTime.toDateUtc(issuedAt) : null
          })
        )
        yield* sql`INSERT INTO grants ${sql.insert(rows)}`
        return now
      }, Effect.orDie)

      const findLive = Effect.fnUntraced(function*(ids: ReadonlyArray<GrantId>) {
        const found = byId(
          yield* retryRolledBack(select(sql`id = ANY(${ids}::uuid[]) AND ${live(yield* DatabaseClock.statementNow)}`))
        )
        return ids.map((id) => Option.fromUndefinedOr(found.get(id)))
      })

      const statusOf = Effect.fnUntraced(function*(ids: ReadonlyArray<GrantId>) {
        const rows = yield* retryRolledBack(
          plain<GrantStatus & { readonly id: GrantId }>`
            SELECT g.id, g.user_id AS "userId", g.client_id AS "clientId",
              CASE WHEN c.id IS NULL THEN 'client-not-approved' ELSE 'usable' END AS status,
              CASE WHEN g.used_generation < g.generation THEN g.generation ELSE 0 END AS "unusedGeneration"
            FROM grants g LEFT JOIN clients c ON c.id = g.client_id AND c.status = 'approved'
            WHERE ${readAhead(ids)} AND g.id = ANY(${ids}::uuid[]) AND ${live(yield* DatabaseClock.statementNow)}`
        )
        const found = new Map<GrantId, GrantStatus>(rows.map((row) => [row.id, row]))
        return ids.map((id) => found.get(id) ?? ended)
      })

      const ofUser = (userId: UserId, clientId: ClientId | undefined) =>
        clientId === undefined ? sql`user_id = ${userId}` : sql`user_id = ${userId} AND client_id = ${clientId}`

      const listLive = Effect.fn("GrantStore.listLive")(function*(userId: UserId, clientId?: ClientId) {
        const now = yield* DatabaseClock.statementNow
        return yield* select(sql`${ofUser(userId, clientId)} AND ${live(now)} ORDER BY created_at DESC, id DESC`)
      }, Effect.orDie)

      const usage = Effect.fn("GrantStore.usage")(
        function*(clientId: ClientId): Effect.fn.Return<Usage, SqlError.SqlError> {
          const now = yield* DatabaseClock.statementNow
          const [row] = yield* sql<
            { readonly users: number; readonly grants: number; readonly authorizedAt: Date | null }
          >`
          SELECT count(DISTINCT user_id)::int AS users, count(*)::int AS grants, max(given_at) AS authorized_at
          FROM (SELECT user_id, CASE WHEN imported_rotates IS NULL THEN created_at ELSE issued_at END AS given_at
            FROM grants WHERE client_id = ${clientId} AND ${live(now)} LIMIT ${mostCounted + 1}) counted`
          const { authorizedAt = null, grants = 0, users = 0 } = row ?? {}
          const isComplete = grants <= mostCounted
          return {
            users,
            isComplete,
            authorizedAt: isComplete && authorizedAt !== null ? DateTime.fromDateUnsafe(authorizedAt) : null
          }
        },
        Effect.orDie
      )

      const endGrants = yield* grantEnds
      const end = (where: Statement.Fragment, reason: RevocationReason) =>
        Effect.map(endGrants(where, reason), (ended) => ended.length)

      return GrantStore.of({
        open,
        rotate: yield* Rotations.make(readAhead),
        findLive,
        statusOf,
        listLive,
        usage,
        revoke: Effect.fn("GrantStore.revoke")(
          (grantId, reason) => Effect.map(end(sql`id = ${grantId}`, reason), (ended) => ended > 0),
          Effect.orDie
        ),
        revokeAll: Effect.fn("GrantStore.revokeAll")(
          (userId, clientId, reason) => end(ofUser(userId, clientId), reason),
          Effect.orDie
        ),
        // Waits for a running import, whose grants this statement would miss.
        supersede: Effect.fn("GrantStore.supersede")(
          (userId, clientId, by) =>
            Effect.andThen(
              sql`SELECT 1 FROM clients WHERE id = ${clientId} FOR SHARE`,
              end(sql`${ofUser(userId, clientId)} AND scopes IS NULL AND id <> ${by}`, superseded)
            ),
          Effect.orDie
        )
      })
    })
  ).pipe(Layer.provide(AppEvents.layer))
}

const ended: GrantStatus = { status: "ended", unusedGeneration: 0, userId: null, clientId: null }

const byId = (grants: ReadonlyArray<Grant>) => new Map(grants.map((grant) => [grant.id, grant]))
