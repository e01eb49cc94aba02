// @effect-diagnostics strictEffectProvide:off
import { DateTime, Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { redirectUri, scopes } from "../Population.ts"
import * as Postgres from "../Postgres.ts"

/** Rows that a database holds beside those of the load. */
export interface Ballast {
  readonly grants: number
  readonly clients: number
}

/** Fills a migrated database with clients, their secrets, accounts and live grants; answers the seconds it took. */
export const addBallast = (url: string, ballast: Ballast) => fill(ballast).pipe(Effect.provide(Postgres.connect(url)))

const fill = Effect.fnUntraced(function*({ clients, grants }: Ballast) {
  const sql = yield* SqlClient.SqlClient
  const began = performance.now()
  const now = yield* DateTime.now
  const today = DateTime.toDateUtc(now)
  const nextYear = DateTime.toDateUtc(DateTime.add(now, { years: 1 }))

  yield* sql`INSERT INTO accounts (id, email, username, name, role, created_at)
    SELECT 'ballast_user_' || n, n || '@ballast.example', 'ballast_' || n, 'A user', 'user', ${today}
    FROM generate_series(1, ${clients}::int) AS n`
  yield* sql`INSERT INTO clients (id, owner_id, kind, status, name, purpose, website, redirect_uris, scopes, submitted_at,
      reviewed_at, created_at, updated_at)
    SELECT 'ballast_client_' || n, 'ballast_user_' || n, 'confidential', 'approved', 'An app', 'Ballast',
      'https://app.example', ${[redirectUri]}::text[], ${[...scopes]}::text[], ${today}, ${today}, ${today}, ${today}
    FROM generate_series(1, ${clients}::int) AS n`
  yield* sql`INSERT INTO client_secrets (id, client_id, digest, last_four, created_at)
    SELECT 'ballast_secret_' || n, 'ballast_client_' || n, sha256(n::text::bytea), 'last', ${today}
    FROM generate_series(1, ${clients}::int) AS n`

  const rows =
    sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
    SELECT (lpad(to_hex(${
      today.getTime() - grants
    }::bigint + n), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid,
      sha256(n::text::bytea), 'ballast_client_' || (1 + n % ${clients}::int), 'ballast_user_' || (1 + n / 7 % ${clients}::int),
      ${[...scopes]}::text[], ${today}, ${today}, ${nextYear}
    FROM generate_series(1, ${grants}::int) AS n`
  yield* fillGrants(rows)
  yield* sql`VACUUM ANALYZE`
  yield* sql`CHECKPOINT`
  return (performance.now() - began) / 1000
})

/** Fills the table of grants: rows first, indexes afterwards and no foreign key checks, so that it takes minutes. */
const fillGrants = Effect.fnUntraced(function*(rows: Statement.Statement<unknown>) {
  const sql = yield* SqlClient.SqlClient
  const indexes = yield* sql<{ name: string; definition: string }>`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE tablename = 'grants' AND indexdef NOT LIKE '%UNIQUE%'`
  for (const { name } of indexes) yield* sql`DROP INDEX ${sql(name)}`
  yield* sql`SET LOCAL session_replication_role = replica`.pipe(Effect.andThen(rows), sql.withTransaction)
  for (const { definition } of indexes) yield* sql.unsafe(definition)
})
