import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { UserId } from "../../../domain/Ids.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { Role } from "./Account.ts"
import { isLent } from "./AccountColumns.ts"
import type { EndedOrigin } from "./SessionEnds.ts"

/** A role that claims have lent an account. */
interface ClaimedRole {
  readonly role: Role
  /** Its time is over: until the user signs in again, the account has the role that was set here. */
  readonly hasLapsed: boolean
}

/**
 * Roles that claims of an identity provider lend to linked accounts, for `CLAIMED_ROLE_LIFETIME` from each sign-in on:
 * the provider says at a sign-in who has them, and at no other time that somebody has lost one. `LinkedAccounts` lends
 * them.
 */
export class ClaimedRoles extends Context.Service<ClaimedRoles, {
  find(userId: UserId): Effect.Effect<Option.Option<ClaimedRole>>
  /** Ends the role of the user whose sign-in has ended at the provider. Asks the user's sessions who that is. */
  endFrom(origin: EndedOrigin): Effect.Effect<void>
  /** Ends the role of an account, or without one all of them: a role rests on a sign-in, and goes with it. */
  endAll(userId?: UserId): Effect.Effect<void>
  /**
   * Enabled accounts with such a role, those of them whose role has lapsed, and their live API keys that have no end.
   */
  readonly count: Effect.Effect<typeof Counts.Type>
}>()("slotkey/core/accounts/people/ClaimedRoles") {
  static readonly layer: Layer.Layer<ClaimedRoles, never, SqlClient.SqlClient> = Layer.effect(
    ClaimedRoles,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const find = Effect.fn("ClaimedRoles.find")(function*(id: UserId) {
        const hasLapsed = sql`role_until <= ${yield* DatabaseClock.statementNow} AS has_lapsed`
        return yield* firstRole(sql`SELECT role, ${hasLapsed} FROM accounts WHERE id = ${id} AND ${isLent}`)
      }, Effect.orDie)

      const end = Effect.fnUntraced(function*(where: Statement.Fragment) {
        const now = yield* DatabaseClock.statementNow
        yield* sql`UPDATE accounts SET role_until = ${now} WHERE ${isLent} AND role_until > ${now} AND ${where}`
      }, Effect.orDie)

      const endFrom = Effect.fn("ClaimedRoles.endFrom")(({ issuer, sid, subject }: EndedOrigin) => {
        const subjects = subject === undefined
          ? sql`SELECT subject FROM sessions WHERE issuer = ${issuer} AND sid = ${sid ?? null}`
          : sql`SELECT ${subject}::text`
        return end(
          sql`id IN (SELECT account_id FROM identities WHERE issuer = ${issuer} AND subject IN (${subjects}))`
        )
      })

      const endAll = Effect.fn("ClaimedRoles.endAll")((userId?: UserId) =>
        end(userId === undefined ? sql`true` : sql`id = ${userId}`)
      )

      const count = Effect.gen(function*() {
        const now = yield* DatabaseClock.statementNow
        const rows = yield* sql`SELECT count(*)::int AS accounts,
            count(*) FILTER (WHERE role_until <= ${now})::int AS lapsed,
            COALESCE(sum((SELECT count(*) FROM api_keys
              WHERE user_id = accounts.id AND revoked_at IS NULL AND expires_at IS NULL)), 0)::int AS endless_keys
          FROM accounts WHERE ${isLent} AND disabled_at IS NULL`
        return yield* decodeCounts(rows[0])
      }).pipe(Effect.orDie, Effect.withSpan("ClaimedRoles.count"))

      return ClaimedRoles.of({ find, endFrom, endAll, count })
    })
  )
}

const firstRole = Rows.first(Schema.Struct({ role: Role, hasLapsed: Schema.Boolean }))

const Counts = Schema.Struct({ accounts: Schema.Int, lapsed: Schema.Int, endlessKeys: Schema.Int })
const decodeCounts = Schema.decodeUnknownEffect(Counts)
