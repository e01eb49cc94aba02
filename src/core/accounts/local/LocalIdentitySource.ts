import { DateTime, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { UserId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { containing } from "../../../foundation/database/Containing.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Mailbox from "../../../foundation/database/Mailbox.ts"
import { retryRolledBack } from "../../../foundation/database/RetryRolledBack.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { Account } from "../people/Account.ts"
import { accountColumns } from "../people/AccountColumns.ts"
import { IdentitySource } from "../people/IdentitySource.ts"
import { Passwords } from "./Passwords.ts"

/** Accounts of this server as the identity source: local ones, which have passwords, and those that are linked. */
export const LocalIdentitySource = Layer.effect(
  IdentitySource,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const passwords = yield* Passwords
    const { signIn } = yield* AppConfig

    // Columns have the names of the fields: each call of `/v2/me` reads a row, which needs no renaming and no schema.
    const verbatim = sql.withoutTransforms()
    const select = (where: Statement.Fragment) =>
      accountColumns.pipe(
        Effect.flatMap((columns) =>
          verbatim<AccountRow>`SELECT ${columns} FROM accounts WHERE disabled_at IS NULL AND ${where}`
        ),
        Effect.map((rows) => rows.map(fromRow))
      )

    // Concurrent look-ups share one statement. It runs outside any transaction of theirs.
    const findBatched = yield* Mailbox.make({
      name: "IdentitySource.find",
      capacity: Number.POSITIVE_INFINITY,
      handle: (batch: Mailbox.Batch<string>) =>
        Effect.gen(function*() {
          const ids = [...new Set(batch)]
          const accounts = yield* retryRolledBack(select(sql`id = ANY(${ids}::text[])`))
          const found = new Map<string, Account>(accounts.map((account) => [account.id, account]))
          return batch.map((id) => Option.fromUndefinedOr(found.get(id)))
        })
    })

    const find = (userId: string) => Effect.orDie(findBatched(userId))

    const authenticateThen = Effect.fn("IdentitySource.authenticateThen")(
      function*<A>(email: string, password: Redacted.Redacted, action: (account: Account) => Effect.Effect<A>) {
        const selected = sql`SELECT id, password_hash FROM accounts
          WHERE lower(email) = lower(${email.trim()}) AND NOT linked AND disabled_at IS NULL`
        const secret = Option.getOrNull(yield* Effect.orDie(firstSecret(selected)))
        const matches = yield* passwords.verify(secret?.passwordHash ?? null, password)
        if (secret === null || !matches) return Option.none<A>()
        return yield* Effect.gen(function*() {
          // Read again, and locked: a change that came meanwhile has won, and a later one waits and then finds the
          // session.
          const [account] = yield* select(
            sql`id = ${secret.id} AND password_hash = ${secret.passwordHash} FOR NO KEY UPDATE`
          )
          return account === undefined ? Option.none<A>() : Option.some(yield* action(account))
        }).pipe(inTransaction(sql))
      }
    )

    const authenticate = (email: string, password: Redacted.Redacted) =>
      authenticateThen(email, password, Effect.succeed)

    const search = Effect.fn("IdentitySource.search")((text: string, limit: number) => {
      const part = containing(text)
      const columns = [sql`name ILIKE ${part}`, sql`username ILIKE ${part}`, sql`email ILIKE ${part}`]
      return Effect.orDie(select(sql`${sql.or(columns)} ORDER BY id LIMIT ${limit}`))
    })

    // Also those whose role by a claim has lapsed, because nobody signs in for what they have not heard of.
    const reviewers = Effect.orDie(select(sql`role <> 'user' ORDER BY id`)).pipe(
      Effect.withSpan("IdentitySource.reviewers")
    )

    return IdentitySource.of({
      ...(signIn.has("local") ? { authenticate, authenticateThen } : {}),
      find,
      search,
      reviewers
    })
  })
)

const firstSecret = Rows.first(Schema.Struct({ id: UserId, passwordHash: Schema.NullOr(Schema.String) }))

interface AccountRow extends Omit<Account, "createdAt" | "isAdmin" | "mayReview"> {
  readonly createdAt: Date
}

// The table's constraints hold what the schema would check.
const fromRow = (row: AccountRow): Account =>
  new Account({ ...row, createdAt: DateTime.fromDateUnsafe(row.createdAt) }, { disableChecks: true })
