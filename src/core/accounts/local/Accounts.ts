import { Context, DateTime, Effect, Layer, Option, type Redacted, Struct } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { BadRequest, Conflict, NotFound } from "../../../domain/ApiError.ts"
import { UserId } from "../../../domain/Ids.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import { PasswordChanged } from "../../../foundation/jobs/kinds/PasswordChanged.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { callerDevice } from "../../limits/CallerDevice.ts"
import type { Account, Profile } from "../people/Account.ts"
import { accountColumns, firstAccount } from "../people/AccountColumns.ts"
import { accountNotFound, emailTaken, lastAdministrator, usernameTaken } from "../people/AccountProblems.ts"
import * as NewUsername from "../people/NewUsername.ts"
import * as Administrators from "./LastAdministrator.ts"
import { decodeNewAccount, type NewAccount } from "./NewAccount.ts"
import { Passwords } from "./Passwords.ts"

/**
 * Accounts of a server whose users are not an embedder's: local ones, with an e-mail address that is theirs alone and a
 * password, and those that are linked to an identity elsewhere (`LinkedAccounts`), which no address names.
 */
export class Accounts extends Context.Service<Accounts, {
  create(input: NewAccount): Effect.Effect<Account, BadRequest | Conflict>
  /**
   * Checks the input and hashes the password, and answers what then creates the account: for a transaction, whose
   * connection must not be held while a hash waits for its turn.
   */
  prepare(input: NewAccount): Effect.Effect<Effect.Effect<Account, Conflict>, BadRequest>
  find(userId: string): Effect.Effect<Option.Option<Account>>
  isLocal(userId: string): Effect.Effect<boolean>
  /** Local account with this address. */
  findByEmail(email: string): Effect.Effect<Option.Option<Account>>
  /**
   * Looks accounts up by id or, local ones, by e-mail address; the keys are the ids and, in lower case, the addresses.
   */
  resolve(names: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, UserId>>
  readonly hasAdmin: Effect.Effect<boolean>
  /** Deletes the account alone: `Deletion` deletes what hangs on it as well. */
  remove(userId: UserId, by: string): Effect.Effect<Account, NotFound | Conflict>
  /** Tells whether another account has this user name; `edit` looks again. */
  isUsernameTaken(username: string, by: UserId): Effect.Effect<boolean>
  edit(userId: UserId, profile: Profile): Effect.Effect<Account, NotFound | Conflict>
  /**
   * Mails the user about it. Runs `alongside`, such as ending sessions, in the same transaction: the password stays as
   * it was if that fails.
   */
  setPassword<E = never>(
    userId: UserId,
    password: Redacted.Redacted,
    by: string,
    alongside?: Effect.Effect<void, E>
  ): Effect.Effect<void, NotFound | BadRequest | E>
}>()("slotkey/core/accounts/local/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const passwords = yield* Passwords
      const audit = yield* AuditLog
      const outbox = yield* Outbox
      const administrators = yield* Administrators.lastAdministrator

      const select = (where: Statement.Fragment) =>
        firstAccount(Effect.flatMap(accountColumns, (columns) => sql`SELECT ${columns} FROM accounts WHERE ${where}`))
      // Without room for a hash nothing was changed, and the same request may succeed later.
      const hash = (...asked: Parameters<Passwords["Service"]["hash"]>) =>
        Effect.catchTag(passwords.hash(...asked), "TemporarilyUnavailable", Effect.die)

      const find = Effect.fn("Accounts.find")((userId: string) => Effect.orDie(select(sql`id = ${userId}`)))
      const findByEmail = Effect.fn("Accounts.findByEmail")((email: string) =>
        Effect.orDie(select(sql`lower(email) = lower(${email.trim()}) AND NOT linked`))
      )

      const isLocal = Effect.fn("Accounts.isLocal")((userId: string) =>
        sql`SELECT 1 FROM accounts WHERE id = ${userId} AND NOT linked`.pipe(
          Effect.map((rows) => rows.length > 0),
          Effect.orDie
        )
      )

      const resolve = Effect.fn("Accounts.resolve")(function*(names: ReadonlyArray<string>) {
        const addresses = names.map((name) => name.toLowerCase())
        const rows = yield* sql<
          { id: UserId; address: string; linked: boolean }
        >`SELECT id, lower(email) AS address, linked FROM accounts
          WHERE id = ANY(${names}::text[]) OR (lower(email) = ANY(${addresses}::text[]) AND NOT linked)`
        return new Map(
          rows.flatMap(({ address, id, linked }) =>
            (linked ? [id] : [id, address]).map((name): [string, UserId] => [name, id])
          )
        )
      }, Effect.orDie)

      const prepare = Effect.fn("Accounts.prepare")(function*(input: NewAccount) {
        const names = yield* decodeNewAccount(input)
        return insertNew(input, names, yield* hash(input.password, input))
      })

      const insertNew = Effect.fnUntraced(function*(
        input: NewAccount,
        { email, name, username }: Effect.Success<ReturnType<typeof decodeNewAccount>>,
        passwordHash: string
      ) {
        if (Option.isSome(yield* findByEmail(email))) return yield* emailTaken
        const id = yield* Effect.sync(() => UserId.make(randomUUID()))
        const createdAt = DateTime.toDateUtc(yield* DateTime.now)
        // It comes from a mailed link, or from the operator.
        const address = { email, emailVerified: true }
        const row = { ...address, id, name, passwordHash, role: input.role ?? "user", createdAt }
        const columns = yield* accountColumns
        const insert = (username: string) =>
          firstAccount(
            sql`INSERT INTO accounts ${sql.insert({ ...row, username })} ON CONFLICT DO NOTHING RETURNING ${columns}`
          )
        const taken = username === undefined ? emailTaken : usernameTaken
        return yield* Effect.gen(function*() {
          let made = yield* insert(username ?? NewUsername.from(email))
          if (Option.isNone(made) && username === undefined) made = yield* insert(NewUsername.withRandomSuffix(email))
          if (Option.isNone(made)) return yield* taken
          yield* audit.record({
            actor: input.by ?? id,
            action: "account.created",
            userId: id,
            details: { role: row.role }
          })
          return made.value
        }).pipe(inTransaction(sql))
      })

      const remove = Effect.fn("Accounts.remove")(
        function*(userId: UserId, by: string) {
          if (yield* administrators.isLast(userId)) return yield* lastAdministrator
          const columns = yield* accountColumns
          const removed = yield* firstAccount(sql`DELETE FROM accounts WHERE id = ${userId} RETURNING ${columns}`)
          if (Option.isNone(removed)) return yield* accountNotFound
          yield* audit.record({ actor: by, action: "account.deleted", userId })
          return removed.value
        },
        inTransaction(sql)
      )

      const isUsernameTaken = Effect.fn("Accounts.isUsernameTaken")((username: string, by: UserId) =>
        sql`SELECT 1 FROM accounts WHERE lower(username) = lower(${username}) AND id <> ${by}`.pipe(
          Effect.map((rows) => rows.length > 0),
          Effect.orDie
        )
      )

      const edit = Effect.fn("Accounts.edit")(
        function*(userId: UserId, profile: Profile) {
          const found = yield* select(sql`id = ${userId} FOR NO KEY UPDATE`)
          if (Option.isNone(found)) return yield* accountNotFound
          const before = found.value
          const fields = Struct.keys(profile).filter((field) => profile[field] !== before[field])
          if (fields.length === 0) return before
          const update = sql`UPDATE accounts SET ${sql.update(profile)} WHERE id = ${userId}
            RETURNING ${yield* accountColumns}`
          const changed = yield* firstAccount(update).pipe(
            Effect.catchReason("SqlError", "UniqueViolation", () => usernameTaken, Effect.die)
          )
          // What the fields say is the user's, and changes again.
          const details = { fields: fields.join(", ") }
          yield* audit.record({ actor: userId, action: "account.profile_changed", userId, details })
          return Option.getOrThrow(changed)
        },
        inTransaction(sql)
      )

      const setPassword = Effect.fn("Accounts.setPassword")(
        function*<E = never>(
          userId: UserId,
          password: Redacted.Redacted,
          by: string,
          alongside: Effect.Effect<void, E> = Effect.void
        ) {
          const account = yield* find(userId)
          if (Option.isNone(account)) return yield* accountNotFound
          // Hashed before the transaction, which would keep others waiting for the row.
          const passwordHash = yield* hash(password, account.value)
          yield* Effect.gen(function*() {
            const rows =
              yield* sql`UPDATE accounts SET password_hash = ${passwordHash} WHERE id = ${userId} AND NOT linked RETURNING id`
            if (rows.length === 0) return yield* accountNotFound
            yield* audit.record({ actor: by, action: "account.password_changed", userId })
            const device = by === userId ? yield* callerDevice : {}
            yield* outbox.publish(PasswordChanged.make({ userId, by, ...device }))
            yield* alongside
          }).pipe(inTransaction(sql))
        }
      )

      return Accounts.of({
        create: Effect.fn("Accounts.create")((input: NewAccount) => Effect.flatten(prepare(input))),
        prepare,
        find,
        isLocal,
        findByEmail,
        resolve,
        remove,
        hasAdmin: Effect.orDie(administrators.exists),
        isUsernameTaken,
        edit,
        setPassword
      })
    })
  )
}
