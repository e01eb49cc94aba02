import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { Conflict, NotFound } from "../../../domain/ApiError.ts"
import type { UserId } from "../../../domain/Ids.ts"
import { isPrintable } from "../../../domain/Text.ts"
import type { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { containing } from "../../../foundation/database/Containing.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { AuditLog, type NewEntry } from "../../audit/AuditLog.ts"
import { type Account, ListedAccount, type Role } from "../people/Account.ts"
import { accountColumns, firstAccount, isLent, roleAt } from "../people/AccountColumns.ts"
import { accountNotFound, lastAdministrator } from "../people/AccountProblems.ts"
import { setHere } from "../people/LentRole.ts"
import * as Administrators from "./LastAdministrator.ts"

/** Accounts of this server as administrators and operators see them, and what they set: the role, disabled or not. */
export class ManagedAccounts extends Context.Service<ManagedAccounts, {
  /** An account, disabled or not. */
  get(userId: string): Effect.Effect<ListedAccount, NotFound>
  /** A page of the accounts, the oldest first. */
  list(filter: AccountFilter): Effect.Effect<AccountPage>
  /**
   * The last administrator who can sign in keeps the role: without one, anyone who reads the log could use its set-up
   * link.
   */
  setRole(userId: UserId, role: Role, by: string): Effect.Effect<Account, NotFound | Conflict>
  /** Nobody can sign in to a disabled account. The last administrator cannot be disabled. */
  setDisabled(userId: UserId, disabled: boolean, by: string): Effect.Effect<Account, NotFound | Conflict>
}>()("slotkey/core/accounts/local/ManagedAccounts") {
  static readonly layer: Layer.Layer<ManagedAccounts, never, AppConfig | SqlClient.SqlClient | AuditLog> = Layer.effect(
    ManagedAccounts,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const administrators = yield* Administrators.lastAdministrator

      const listed = Effect.map(accountColumns, (columns) =>
        sql`${columns}, disabled_at IS NOT NULL AS disabled,
          CASE WHEN ${isLent} THEN role END AS claimed_role, CASE WHEN ${isLent} THEN role_until END AS claimed_until,
          (SELECT min(issuer) FROM identities WHERE account_id = accounts.id) AS issuer`)

      const get = Effect.fn("ManagedAccounts.get")(function*(userId: string) {
        const select = Effect.flatMap(listed, (columns) => sql`SELECT ${columns} FROM accounts WHERE id = ${userId}`)
        const found = isPrintable(userId) ? yield* Effect.orDie(firstListed(select)) : Option.none()
        return yield* Option.isSome(found) ? Effect.succeed(found.value) : accountNotFound
      })

      const list = Effect.fn("ManagedAccounts.list")(function*({ page = 1, role, search = "" }: AccountFilter) {
        const part = containing(search.trim())
        const contains = [sql`email ILIKE ${part}`, sql`name ILIKE ${part}`, sql`username ILIKE ${part}`]
        const wanted = isPrintable(search) ? sql.or(contains) : sql`false`
        const now = yield* DatabaseClock.statementNow
        const hasRole = role === undefined ? sql`true` : sql`${roleAt(now)} = ${role}`
        const from = sql`FROM accounts WHERE ${wanted} AND ${hasRole}`
        const [{ total } = { total: 0 }] = yield* sql<{ total: number }>`SELECT count(*)::int AS total ${from}`
        const pages = Math.max(1, Math.ceil(total / pageSize))
        const current = Math.min(Math.max(1, page), pages)
        const accounts = yield* allListed(sql`SELECT ${yield* listed} ${from}
          ORDER BY created_at, id LIMIT ${pageSize} OFFSET ${(current - 1) * pageSize}`)
        return { accounts, total, page: current, pages }
      }, Effect.orDie)

      const change = Effect.fnUntraced(
        function*(userId: UserId, { entry, endsAdmin, set }: Change) {
          if (endsAdmin && (yield* administrators.isLast(userId))) return yield* lastAdministrator
          const columns = yield* accountColumns
          const changed = yield* firstAccount(sql`UPDATE accounts SET ${set} WHERE id = ${userId} RETURNING ${columns}`)
          if (Option.isNone(changed)) return yield* accountNotFound
          yield* audit.record({ ...entry, userId })
          return changed.value
        },
        inTransaction(sql)
      )

      const setRole = Effect.fn("ManagedAccounts.setRole")((userId: UserId, role: Role, by: string) => {
        const entry = { actor: by, action: "account.role_changed", details: { role } }
        return change(userId, { set: sql`${sql.update({ ...setHere(role) })}`, endsAdmin: role !== "admin", entry })
      })

      const setDisabled = Effect.fn("ManagedAccounts.setDisabled")(
        function*(userId: UserId, disabled: boolean, by: string) {
          const at = disabled ? DateTime.toDateUtc(yield* DateTime.now) : null
          const entry = { actor: by, action: disabled ? "account.disabled" : "account.enabled" }
          return yield* change(userId, { set: sql`disabled_at = ${at}`, endsAdmin: disabled, entry })
        }
      )

      return ManagedAccounts.of({ get, list, setRole, setDisabled })
    })
  )
}

interface AccountFilter {
  /** Part of an e-mail address, name or user name. */
  readonly search?: string | undefined
  readonly role?: Role | undefined
  /** Pages count from 1. */
  readonly page?: number | undefined
}

export interface AccountPage {
  readonly accounts: ReadonlyArray<ListedAccount>
  readonly total: number
  readonly page: number
  readonly pages: number
}

const pageSize = 100

const allListed = Rows.all(ListedAccount)
const firstListed = Rows.first(ListedAccount)

interface Change {
  readonly set: Statement.Fragment
  /** True if an administrator would lose the role or the account. */
  readonly endsAdmin: boolean
  readonly entry: NewEntry
}
