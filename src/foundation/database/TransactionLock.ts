import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/**
 * Locks by which transactions take turns. During an upgrade nodes of two releases share them, so a key stays what it
 * is, and goes to no other purpose.
 */
const numbers = {
  imports: 5_617_001,
  migrationMails: 5_617_002,
  endWarnings: 5_617_003,
  reviewDigests: 5_617_004,
  usage: 5_617_005
}

/** Locks whose key is the hash of a text: most are one for each user, owner or name. */
type Name =
  | "catalogues"
  | "invitations"
  | "test_apps"
  | `api_keys ${string}`
  | `clients ${string}`
  | `consents ${string}`
  | `name ${string}`
  // Issuer and subject of a linked account, as JSON.
  | `[${string},${string}]`

/** Waits for a lock, which the transaction of the caller then has until it ends. */
export const take = (
  sql: SqlClient.SqlClient,
  lock: keyof typeof numbers | Name
): Effect.Effect<unknown, SqlError.SqlError> =>
  isNumbered(lock)
    ? sql`SELECT pg_advisory_xact_lock(${numbers[lock]})`
    : sql`SELECT pg_advisory_xact_lock(hashtext(${lock}))`

/** Same for a lock that any number of transactions may share, but none with one that takes it. */
export const share = (sql: SqlClient.SqlClient, lock: Name): Effect.Effect<unknown, SqlError.SqlError> =>
  sql`SELECT pg_advisory_xact_lock_shared(hashtext(${lock}))`

/** Same for many locks, in one order for every caller, so that no two wait for each other. */
export const takeAll = (
  sql: SqlClient.SqlClient,
  locks: ReadonlyArray<Name>
): Effect.Effect<unknown, SqlError.SqlError> =>
  sql`SELECT pg_advisory_xact_lock(number)
    FROM (SELECT DISTINCT hashtext(name) AS number FROM unnest(${locks}::text[]) AS name ORDER BY 1) AS numbers`

const isNumbered = (lock: keyof typeof numbers | Name): lock is keyof typeof numbers => lock in numbers
