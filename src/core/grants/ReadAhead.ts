import { Effect, Schedule } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { GrantId } from "../../domain/Ids.ts"
import * as Outages from "../../foundation/database/Outages.ts"

/** Condition that is always true; lets PostgreSQL prefetch these grants when that pays. */
export type ReadAhead = (ids: ReadonlyArray<GrantId>) => Statement.Fragment

/**
 * Reads the rows of a batch from the disk all at once and not one after the other. Where the rows in use are in the
 * memory of the database that would only cost a tenth of a millisecond for each batch, so every ten seconds PostgreSQL
 * is asked how many pages of the table it did not find in its `shared_buffers`. It cannot tell whether the system had
 * them in memory.
 */
export const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  let before: Pages = { sought: 0, found: 0 }
  let pays = false

  const look = sql<Pages>`SELECT pg_stat_get_blocks_fetched('grants'::regclass)::float8 AS sought,
    pg_stat_get_blocks_hit('grants'::regclass)::float8 AS found`.pipe(
    Effect.map(([now = before]) => {
      const sought = now.sought - before.sought
      const missed = sought - (now.found - before.found)
      // Below that a batch finds all but one or two of its pages. Reading ahead finds each page a second time, and so
      // halves the share of those missed.
      pays = sought > 0 && missed > (pays ? 0.025 : 0.05) * sought
      before = now
    }),
    Outages.bestEffort("How much of the grants is in memory was not read")
  )
  yield* Effect.forkScoped(Effect.schedule(look, Schedule.spaced("10 seconds")))

  // The planner takes the condition before it looks for rows, because it names none of their columns.
  const readAhead: ReadAhead = (ids) => sql`(NOT ${pays} OR (SELECT read_grants_ahead(${ids}::uuid[])))`
  return readAhead
})

/** Pages of a table that were needed since the statistics began, and those of them that were in memory. */
interface Pages {
  readonly sought: number
  readonly found: number
}
