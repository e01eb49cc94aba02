import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/**
 * Fills the table of grants by these statements, a transaction for each: rows first, indexes afterwards and no foreign
 * key checks, so that it takes minutes instead of an hour.
 */
export const fillGrants = Effect.fnUntraced(function*(
  statements: ReadonlyArray<Effect.Effect<unknown, SqlError.SqlError>>
) {
  const sql = yield* SqlClient.SqlClient
  const indexes = yield* sql<{ name: string; definition: string }>`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE tablename = 'grants' AND indexdef NOT LIKE '%UNIQUE%'`
  for (const { name } of indexes) yield* sql`DROP INDEX ${sql(name)}`
  for (const statement of statements) {
    yield* sql`SET LOCAL session_replication_role = replica`.pipe(Effect.andThen(statement), sql.withTransaction)
  }
  for (const { definition } of indexes) yield* sql.unsafe(definition)
})
