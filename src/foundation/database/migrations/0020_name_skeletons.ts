import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The skeletons of the names that apps have and want, for comparison. The names say what the skeletons are of, and `rules`
// how they were made: a row that no longer fits its client is made anew before the next comparison.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE name_skeletons (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    name text NOT NULL,
    skeletons text[] NOT NULL,
    wanted_name text,
    wanted_skeletons text[] NOT NULL,
    rules integer NOT NULL
  )`
  yield* sql`CREATE INDEX name_skeletons_skeletons ON name_skeletons USING gin (skeletons) WITH (fastupdate = off)`
  yield* sql`CREATE INDEX name_skeletons_wanted ON name_skeletons USING gin (wanted_skeletons) WITH (fastupdate = off)`
})
