import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

// The server has its keys in memory, and knows the schema.
const kept = ["server_keys", "slotkey_migrations"]

/** The tables with rows. To empty the others, too, would take three times as long. */
const filled = (sql: SqlClient.SqlClient) =>
  sql<{ name: string }>`SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT relname = ANY(${kept}::text[])
      AND pg_relation_size(oid) > 0`

/** Empties the database of all that tests have left; the keys of the server stay. */
export const empty = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const tables = yield* filled(sql)
  if (tables.length > 0) yield* sql`TRUNCATE ${sql.csv(tables.map(({ name }) => sql`${sql(name)}`))} CASCADE`
}, Effect.orDie)

/** Remembers what the database holds now; the effect that it returns brings that back to an empty database. */
export const keep = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  yield* sql`CREATE SCHEMA kept`
  const tables = yield* filled(sql)
  for (const { name } of tables) {
    yield* sql`CREATE TABLE ${sql(`kept.${name}`)} AS TABLE ${sql(`public.${name}`)}`
  }
  const restore = Effect.gen(function*() {
    // Rows come back in any order: no trigger checks references meanwhile.
    yield* sql`SET LOCAL session_replication_role = replica`
    for (const { name } of tables) {
      yield* sql`INSERT INTO ${sql(`public.${name}`)} OVERRIDING SYSTEM VALUE TABLE ${sql(`kept.${name}`)}`
    }
  })
  return Effect.orDie(sql.withTransaction(restore))
}, Effect.orDie)
