import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The catalogues that were in force, each from its announcement on. They stay: a scope that was once in force never
// comes back with another meaning.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // `hash` is what operators compare; nodes compute it from the document by themselves. `is_built_in` tells a catalogue
  // that came with a release from one of an operator.
  yield* sql`CREATE TABLE catalogues (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash text NOT NULL,
    document text NOT NULL,
    is_built_in boolean NOT NULL,
    announced_at timestamptz NOT NULL,
    announced_by text NOT NULL,
    in_force_from timestamptz,
    ended_at timestamptz
  )`
  yield* sql`CREATE UNIQUE INDEX catalogues_in_force ON catalogues ((true))
    WHERE in_force_from IS NOT NULL AND ended_at IS NULL`
  yield* sql`CREATE UNIQUE INDEX catalogues_announced ON catalogues ((true))
    WHERE in_force_from IS NULL AND ended_at IS NULL`
})
