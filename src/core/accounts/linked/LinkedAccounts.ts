import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { Conflict, NotFound } from "../../../domain/ApiError.ts"
import { UserId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Outages from "../../../foundation/database/Outages.ts"
import * as TransactionLock from "../../../foundation/database/TransactionLock.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { Accounts } from "../local/Accounts.ts"
import { ManagedAccounts } from "../local/ManagedAccounts.ts"
import { Account, type Role } from "../people/Account.ts"
import { accountColumns } from "../people/AccountColumns.ts"
import { accountNotFound } from "../people/AccountProblems.ts"
import { type ExternalIdentity, type ExternalProfile, identityKey, type Subject } from "../people/ExternalIdentity.ts"
import { afterSignIn, namedRole, setHere, type Standing } from "../people/LentRole.ts"
import * as NewUsername from "../people/NewUsername.ts"

/** The account of this identity is disabled, or its user has left the platform. */
class AccountDisabled extends Schema.TaggedError<AccountDisabled>()("AccountDisabled", {}) {}

/** An account with what is known of its identity. */
export interface LinkedAccount {
  readonly account: Account
  readonly isDisabled: boolean
  /** The platform has removed the user, and nobody has enabled or disabled the account since. */
  readonly hasLeft: boolean
}

/** An account as the platform has put it. */
interface PutAccount extends LinkedAccount {
  /** There was no account of this identity before. */
  readonly isNew: boolean
}

/**
 * Accounts of people who sign in elsewhere, each linked to an issuer and its subject. An address never leads to an
 * account: a provider's word about it would be enough to take over somebody else's.
 */
export class LinkedAccounts extends Context.Service<LinkedAccounts, {
  find(subject: Subject): Effect.Effect<Option.Option<LinkedAccount>>
  /** Account of a user who has signed in: made at the first time, and refreshed where the provider knows better. */
  signIn(identity: ExternalIdentity): Effect.Effect<Account, AccountDisabled>
  /** Same, and the result of `action`, which runs while nobody can disable the account: a session cannot outlive it. */
  signInThen<A>(
    identity: ExternalIdentity,
    action: (account: Account) => Effect.Effect<A>
  ): Effect.Effect<A, AccountDisabled>
  /** Makes or refreshes the account by the platform's word, and lets a user in again whom it had removed. */
  put(identity: ExternalIdentity, by: string): Effect.Effect<PutAccount, NotFound | Conflict>
  /**
   * Disables the account because its user has left, and runs `alongside`, which ends all access, in one transaction.
   */
  remove<E>(
    subject: Subject,
    by: string,
    alongside: (userId: UserId) => Effect.Effect<void, E>
  ): Effect.Effect<LinkedAccount, NotFound | Conflict | E>
}>()("slotkey/core/accounts/linked/LinkedAccounts") {
  static readonly layer = Layer.effect(
    LinkedAccounts,
    Effect.gen(function*() {
      const clock = yield* DatabaseClock
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* Accounts
      const audit = yield* AuditLog
      const managed = yield* ManagedAccounts
      const { claimedRoleLifetime } = yield* AppConfig

      const decode = (row: unknown) => Effect.orDie(Schema.decodeUnknownEffect(Account)(row))

      const read = Effect.fnUntraced(function*({ issuer, subject }: Subject, lock: "locked" | "unlocked") {
        const [row] = yield* sql<FoundRow>`SELECT ${yield* accountColumns},
            disabled_at IS NOT NULL AS is_disabled, COALESCE(i.removed_at = disabled_at, false) AS has_left,
            a.role AS kept_role, role_here, role_until
          FROM identities i JOIN accounts a ON a.id = i.account_id
          WHERE i.issuer = ${issuer} AND i.subject = ${subject}
          ${sql.literal(lock === "locked" ? "FOR NO KEY UPDATE OF a" : "")}`
        if (row === undefined) return Option.none<Found>()
        const { hasLeft, isDisabled, keptRole: role, roleHere, roleUntil } = row
        const standing = { role, roleHere, roleUntil }
        return Option.some<Found>({ account: yield* decode(row), standing, isDisabled, hasLeft })
      })

      const times = Effect.map(clock.now, (now) => ({
        now: DateTime.toDateUtc(now),
        until: DateTime.toDateUtc(DateTime.addDuration(now, claimedRoleLifetime))
      }))

      /** Account with what the identity knows better; nothing is written where that is nothing. */
      const refresh = Effect.fnUntraced(function*(
        found: Found,
        { issuer, profile, roles }: ExternalIdentity,
        { by = found.account.id, renewing = Effect.asVoid }: Refreshing = {}
      ) {
        const { account, standing } = found
        // An import has made the account, and this is the first that is heard of its user.
        const isUnknown = account.name === account.id
        const called = calledIn(profile)
        const { email, username = isUnknown ? NewUsername.from(called) : account.username, ...others } = profile
        const isFree = username === account.username || !(yield* accounts.isUsernameTaken(username, account.id))
        const free = isFree ? { username } : isUnknown ? { username: NewUsername.withRandomSuffix(called) } : {}
        const after = afterSignIn(roles, standing, yield* times)
        const wanted = { ...(isUnknown ? { name: called } : {}), ...others, ...addressOf(email), ...free, ...after }
        const current: Readonly<Record<string, unknown>> = { ...account, ...standing }
        const changes = Object.fromEntries(Object.entries(wanted).filter(([field, value]) => current[field] !== value))
        const update = Effect.flatMap(
          accountColumns,
          (columns) => sql`UPDATE accounts SET ${sql.update(changes)} WHERE id = ${account.id} RETURNING ${columns}`
        )
        if (Object.keys(changes).length === 0) return account
        if (after.role === account.role && Object.keys(changes).join() === "roleUntil") {
          return yield* Effect.as(renewing(update), account)
        }
        return yield* Effect.gen(function*() {
          const [row] = yield* update
          const entry = { actor: by, userId: account.id }
          if (after.role !== standing.role) {
            const details = { role: after.role, issuer }
            yield* audit.record({ ...entry, action: "account.role_changed", details })
          }
          const fields = Object.keys(changes).filter((field) => field in profile)
          if (fields.length > 0) {
            const details = { fields: fields.join(", "), issuer }
            yield* audit.record({ ...entry, action: "account.profile_changed", details })
          }
          return yield* decode(row)
        }).pipe(sql.withTransaction)
      })

      const insert = Effect.fnUntraced(function*({ issuer, profile, roles, subject }: ExternalIdentity, by?: string) {
        const id = yield* Effect.sync(() => UserId.make(randomUUID()))
        const called = calledIn(profile)
        const row = {
          ...profile,
          ...addressOf(profile.email ?? null),
          id,
          name: profile.name ?? called,
          ...by === undefined ? afterSignIn(roles, nobody, yield* times) : setHere(namedRole(roles) ?? "user"),
          linked: true,
          createdAt: DateTime.toDateUtc(yield* DateTime.now)
        }
        const attempt = (username: string) =>
          sql`INSERT INTO accounts ${sql.insert({ ...row, username })} ON CONFLICT DO NOTHING RETURNING id`
        const rows = yield* attempt(NewUsername.from(called))
        if (rows.length === 0) yield* attempt(NewUsername.withRandomSuffix(called))
        yield* sql`INSERT INTO identities ${sql.insert({ issuer, subject, accountId: id })}`
        const details = { role: row.role, issuer, subject }
        yield* audit.record({ actor: by ?? id, action: "account.created", userId: id, details })
      })

      // When a user signs in for the first time twice at once, the second one finds the account of the first.
      const make = Effect.fnUntraced(function*(identity: ExternalIdentity, by?: string) {
        yield* TransactionLock.take(sql, identityKey(identity))
        const found = yield* read(identity, "locked")
        if (Option.isSome(found)) return { ...found.value, isNew: false }
        yield* insert(identity, by)
        return { ...Option.getOrThrow(yield* read(identity, "locked")), isNew: true }
      })

      const signInThen = Effect.fn("LinkedAccounts.signInThen")(
        function*<A>(identity: ExternalIdentity, action: (account: Account) => Effect.Effect<A>) {
          const found = yield* read(identity, "locked")
          const linked = Option.isSome(found) ? found.value : yield* make(identity)
          if (linked.isDisabled) return yield* new AccountDisabled()
          return yield* action(yield* refresh(linked, identity))
        },
        inTransaction(sql)
      )

      const signIn = Effect.fn("LinkedAccounts.signIn")(function*(identity: ExternalIdentity) {
        // Each page of a server behind a proxy asks this, and mostly there is nothing to write.
        const found = yield* read(identity, "unlocked")
        if (Option.isNone(found)) return yield* signInThen(identity, Effect.succeed)
        if (found.value.isDisabled) return yield* new AccountDisabled()
        const renewing = Outages.bestEffort("A role by a claim got no more time")
        return yield* refresh(found.value, identity, { renewing })
      }, Effect.catchTag("SqlError", Effect.die))

      const put = Effect.fn("LinkedAccounts.put")(
        function*({ roles, ...identity }: ExternalIdentity, by: string) {
          const found = yield* read(identity, "locked")
          const linked = Option.isSome(found)
            ? { ...found.value, isNew: false }
            : yield* make({ ...identity, roles }, by)
          const { account: { id }, standing } = linked
          const role = namedRole(roles)
          if (role !== undefined && (role !== standing.role || role !== standing.roleHere)) {
            // Unlike a sign-in, it can be refused: the last administrator keeps the role.
            yield* managed.setRole(id, role, by)
          }
          if (linked.hasLeft) {
            yield* managed.setDisabled(id, false, by)
            yield* sql`UPDATE identities SET removed_at = NULL
              WHERE issuer = ${identity.issuer} AND subject = ${identity.subject}`
          }
          const current = Option.getOrThrow(yield* read(identity, "locked"))
          const account = yield* refresh(current, { ...identity, roles: {} }, { by })
          return { account, isDisabled: current.isDisabled, hasLeft: false, isNew: linked.isNew }
        },
        inTransaction(sql)
      )

      const remove = Effect.fn("LinkedAccounts.remove")(
        function*<E>(
          { issuer, subject }: Subject,
          by: string,
          alongside: (userId: UserId) => Effect.Effect<void, E>
        ) {
          const found = yield* read({ issuer, subject }, "locked")
          if (Option.isNone(found)) return yield* accountNotFound
          const { account, isDisabled } = found.value
          if (!isDisabled) {
            yield* managed.setDisabled(account.id, true, by)
            yield* sql`UPDATE identities SET removed_at = (SELECT disabled_at FROM accounts WHERE id = account_id)
              WHERE issuer = ${issuer} AND subject = ${subject}`
          }
          yield* alongside(account.id)
          return { account, isDisabled: true, hasLeft: found.value.hasLeft || !isDisabled }
        },
        inTransaction(sql)
      )

      return LinkedAccounts.of({
        find: Effect.fn("LinkedAccounts.find")((subject: Subject) => Effect.orDie(read(subject, "unlocked"))),
        signIn,
        signInThen,
        put,
        remove
      })
    })
  )
}

/** What to call a user of whom nothing may be known. */
const calledIn = ({ email, name, username }: ExternalProfile): string => username ?? email ?? name ?? "user"

/** What an account keeps of what somebody says about its address; of one that is not spoken of, nothing changes. */
const addressOf = (email: string | null | undefined): Partial<Pick<Account, "email" | "emailVerified">> =>
  email === undefined ? {} : { email: email ?? "", emailVerified: email !== null }

interface Found extends LinkedAccount {
  readonly standing: Standing
}

interface FoundRow extends Omit<Standing, "role">, Omit<LinkedAccount, "account"> {
  readonly keptRole: Role
}

interface Refreshing {
  /** Actor of the trail, if not the user. */
  readonly by?: string
  /** Makes the write that only gives a lent role more time. */
  readonly renewing?: (write: Effect.Effect<unknown, SqlError.SqlError>) => Effect.Effect<void, SqlError.SqlError>
}

const nobody = setHere("user")
