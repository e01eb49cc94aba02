import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

// The server has its keys in memory, and knows the schema.
const kept = ["server_keys", "slotkey_migrations"]

/** Empties the database of all that tests have left; the keys of the server stay. */
export const empty = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const tables = yield* sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND NOT table_name = ANY(${kept}::text[])`
  yield* sql`TRUNCATE ${sql.csv(tables.map(({ name }) => sql`${sql(name)}`))} RESTART IDENTITY CASCADE`
}, Effect.orDie)
