import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../../domain/Ids.ts"
import * as Column from "../../../foundation/database/Column.ts"
import * as TransactionLock from "../../../foundation/database/TransactionLock.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { identityKey, type Subject } from "../people/ExternalIdentity.ts"

// Linked accounts that an import names, many at a time. `LinkedAccounts` has those of people who sign in.

/**
 * A linked account of which nothing is known but who its user is, so that it is called by its id. `LinkedAccounts`
 * fills it in when that user signs in.
 */
export interface ImportedAccount extends Subject {
  readonly id: UserId
}

/** Accounts of these subjects, by `identityKey`. */
export const findAll = Effect.fn("ImportedAccounts.findAll")(function*(subjects: ReadonlyArray<Subject>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Subject & { readonly id: UserId }>`SELECT i.issuer, i.subject, i.account_id AS id
    FROM unnest(${Column.texts(subjects.map(({ issuer }) => issuer))},
      ${Column.texts(subjects.map(({ subject }) => subject))}) AS s (issuer, subject)
    JOIN identities i ON i.issuer = s.issuer AND i.subject = s.subject`
  return new Map(rows.map(({ id, ...subject }) => [identityKey(subject), id]))
}, Effect.orDie)

/**
 * Adds accounts in the transaction of the caller. Answers those that were there, by the keys of their subjects: a user
 * who has signed in meanwhile has an account of another id.
 */
export const addAll = Effect.fn("ImportedAccounts.addAll")(
  function*(accounts: ReadonlyArray<ImportedAccount>, by: string) {
    const sql = yield* SqlClient.SqlClient
    const audit = yield* AuditLog
    // First sign-ins wait, and find these.
    yield* TransactionLock.takeAll(sql, accounts.map(identityKey))
    const found = yield* findAll(accounts)
    const fresh = accounts.filter((account) => !found.has(identityKey(account)))
    if (fresh.length === 0) return found
    const ids = Column.texts(fresh.map(({ id }) => id))
    const issuers = Column.texts(fresh.map(({ issuer }) => issuer))
    const subjects = Column.texts(fresh.map(({ subject }) => subject))
    yield* sql`INSERT INTO accounts (id, email, email_verified, username, name, role, role_here, linked, created_at)
      SELECT id, '', false, id, id, 'user', 'user', true, ${DateTime.toDateUtc(yield* DateTime.now)}::timestamptz
      FROM unnest(${ids}) AS id`
    yield* sql`INSERT INTO identities (account_id, issuer, subject) SELECT * FROM unnest(${ids}, ${issuers}, ${subjects})`
    yield* audit.recordAll(fresh.map(({ id, issuer, subject }) => ({
      actor: by,
      action: "account.created",
      userId: id,
      details: { role: "user", issuer, subject }
    })))
    return found
  },
  Effect.orDie
)
