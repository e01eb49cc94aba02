import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Apps that refresh several times at once: when their tokens were replaced (`src/core/grants/GraceWindows.ts`), and the
// generation that was handed out more than once.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE grants
    ADD COLUMN window_generation integer, ADD COLUMN window_began_at timestamptz,
    ADD COLUMN earlier_generation integer, ADD COLUMN earlier_began_at timestamptz,
    ADD COLUMN repeated_generation integer`
})
