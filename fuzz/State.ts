import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Contents of the database: a digest for each table. */
export type State = ReadonlyMap<string, string>

/**
 * Reads the state of the database. Most requests write nothing, which one small question tells: then the state that was
 * read last is still right.
 */
export const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // Skeletons of names are made when a reviewer looks, and follow from the names.
  const tables = (yield* sql<{ readonly name: string }>`SELECT tablename AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> 'name_skeletons' ORDER BY tablename`).map(({ name }) => name)
  const digests = tables.map((name) =>
    `SELECT '${name}' AS name, md5(coalesce(string_agg(row, '' ORDER BY row), '')) AS digest
      FROM (SELECT (to_jsonb(t) - '{${ofUse(name).join()}}'::text[])::text AS row FROM "${name}" t) rows`
  ).join(" UNION ALL ")
  let last: { readonly transaction: string; readonly state: State } | undefined

  return Effect.gen(function*() {
    // The next transaction that writes gets this number.
    const [row] = yield* sql<{ readonly transaction: string }>`
      SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS transaction`
    const transaction = row?.transaction ?? ""
    if (last?.transaction === transaction) return last.state
    const rows = yield* sql.unsafe<{ readonly name: string; readonly digest: string }>(digests)
    last = { transaction, state: new Map(rows.map(({ digest, name }) => [name, digest])) }
    return last.state
  })
})

// Columns that say when something was used last, and of a session from where and how much longer it lasts therefore: a
// refused request may use a session or a key.
const ofUse = (table: string) => [
  "last_used_at",
  "last_seen_at",
  ...(table === "sessions" ? ["address", "expires_at"] : [])
]

/** Tables whose contents differ. */
export const changes = (before: State, after: State): ReadonlyArray<string> =>
  [...after].flatMap(([name, digest]) => before.get(name) === digest ? [] : [name])
