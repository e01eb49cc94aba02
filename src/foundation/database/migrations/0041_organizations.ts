import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// What the platform says of a user's organization: its name, and whether the user may decide for it. Servers of the
// release before leave both null, which says nothing.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE accounts ADD COLUMN organization_name text, ADD COLUMN decides_for_organization boolean`
})
