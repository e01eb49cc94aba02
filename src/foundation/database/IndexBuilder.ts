import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as MigrationLock from "./MigrationLock.ts"
import { type Index, indexes } from "./migrations/indexes.ts"
import * as MigrationStep from "./MigrationStep.ts"

/** An index that is not ready: `unfinished` is what an interrupted build has left behind, or one that is going on. */
interface OpenIndex extends Index {
  readonly state: "missing" | "unfinished"
}

/** Indexes of the list that are not ready. */
export const open: Effect.Effect<ReadonlyArray<OpenIndex>, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(
  function*() {
    const sql = yield* SqlClient.SqlClient
    const found = yield* sql<{ readonly name: string; readonly isReady: boolean }>`
      SELECT relname AS name, indisvalid AS is_ready FROM pg_index JOIN pg_class ON oid = indexrelid
      WHERE relname = ANY(${indexes.map(({ name }) => name)}) AND pg_table_is_visible(oid)`
    return indexes.flatMap((index): ReadonlyArray<OpenIndex> => {
      const row = found.find(({ name }) => name === index.name)
      if (row?.isReady === true) return []
      return [{ ...index, state: row === undefined ? "missing" : "unfinished" }]
    })
  }
)

/**
 * Builds the indexes of the list that are not ready, while the table is written to, unless another process is at it. An
 * interrupted build is started over. It cannot be done within a transaction.
 */
export const build = (
  database: "embedded" | "server"
): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    if ((yield* open).length === 0) return
    yield* MigrationLock.ifFree(
      "indexes",
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        // The embedded database has nobody who would wait, and no second process that could build beside the work.
        const concurrently = sql.literal(database === "server" ? "CONCURRENTLY" : "")
        for (const { name, on, state } of yield* open) {
          yield* MigrationStep.begin(`index ${name}`)
          if (state === "unfinished") yield* sql`DROP INDEX ${concurrently} ${sql(name)}`
          yield* sql`CREATE INDEX ${concurrently} IF NOT EXISTS ${sql(name)} ON ${sql.literal(on)}`
        }
      })
    )
  })
