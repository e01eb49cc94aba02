import { DateTime, Effect, Layer, Option, type Redacted, Schema, String } from "effect"
import { SqlClient, SqlSchema, type Statement } from "effect/sql"
import { UserId } from "../../domain/Ids.ts"
import * as Mailbox from "../../foundation/database/Mailbox.ts"
import { Account } from "./Account.ts"
import { IdentitySource } from "./IdentitySource.ts"
import { Passwords } from "./Passwords.ts"

/** The accounts of our own table as the identity source of a server that has no platform with users of its own. */
export const LocalIdentitySource: Layer.Layer<IdentitySource, never, SqlClient.SqlClient | Passwords> = Layer.effect(
  IdentitySource,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const passwords = yield* Passwords

    // Named as an account has them: rows that each call of `/v2/me` reads are spared the renaming and the schema.
    const plain = sql.withoutTransforms()
    const columns = plain.literal(
      Object.keys(Account.fields).map((name) => `${String.camelToSnake(name)} AS "${name}"`).join(", ")
    )
    const select = (where: Statement.Fragment) =>
      Effect.map(
        plain<AccountRow>`SELECT ${columns} FROM accounts WHERE disabled_at IS NULL AND ${where}`,
        (rows) => rows.map(fromRow)
      )

    // The calls of the same moment share a statement. Nobody asks within a transaction.
    const ask = yield* Mailbox.make({
      capacity: Number.POSITIVE_INFINITY,
      handle: (batch: Mailbox.Batch<string>) =>
        Effect.gen(function*() {
          const ids = [...new Set(batch)]
          const accounts = yield* select(sql`id = ANY(${ids}::text[])`)
          const found = new Map<string, Account>(accounts.map((account) => [account.id, account]))
          return batch.map((id) => Option.fromUndefinedOr(found.get(id)))
        }).pipe(Effect.orDie)
    })

    const findSecret = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: Schema.Struct({ id: UserId, passwordHash: Schema.NullOr(Schema.String) }),
      execute: (email) =>
        sql`SELECT id, password_hash FROM accounts WHERE lower(email) = lower(${email}) AND disabled_at IS NULL`
    })

    const find = (userId: string) => Effect.orDie(ask(userId))

    const authenticate = Effect.fn("IdentitySource.authenticate")(
      function*(email: string, password: Redacted.Redacted) {
        const secret = Option.getOrNull(yield* Effect.orDie(findSecret(email.trim())))
        const matches = yield* passwords.verify(secret?.passwordHash ?? null, password)
        if (secret === null || !matches) return Option.none<Account>()
        // It may have been changed, or the account disabled, while the password was verified.
        const [account] = yield* Effect.orDie(
          select(sql`id = ${secret.id} AND password_hash = ${secret.passwordHash}`)
        )
        return Option.fromUndefinedOr(account)
      }
    )

    const administrators = Effect.orDie(select(sql`role = 'admin' ORDER BY id`)).pipe(
      Effect.withSpan("IdentitySource.administrators")
    )

    return IdentitySource.of({ authenticate, find, administrators })
  })
)

interface AccountRow extends Omit<Account, "createdAt" | "isAdmin"> {
  readonly createdAt: Date
}

// The constraints of the table say what the schema would.
const fromRow = (row: AccountRow): Account =>
  new Account({ ...row, createdAt: DateTime.fromDateUnsafe(row.createdAt) }, { disableChecks: true })
