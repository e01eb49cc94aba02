/** Lists the tables of the server. */
export const tables = "SELECT tablename AS table FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"

/**
 * A migration that is made up: each table gets one more column, in the way of the real ones (`DatabaseSchema`), in a
 * transaction of its own. Statements that list columns by `*` have other results from then on.
 */
export const grow = (table: string, column: string): readonly [limit: string, change: string] => [
  "SET LOCAL lock_timeout = '2s'",
  `ALTER TABLE "${table}" ADD COLUMN "${column}" integer DEFAULT 0`
]
