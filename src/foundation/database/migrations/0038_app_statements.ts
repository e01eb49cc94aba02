import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// What an app says of itself to its users, and the scopes that they may decline. Servers of the release before write
// neither: an app of theirs says nothing, and its users give all of its scopes. They may also take a scope away and
// leave its mark here, so no constraint ties the two columns together (`OptionalScopes`).
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  for (const table of ["clients", "client_changes"]) {
    yield* sql`ALTER TABLE ${sql(table)}
      ADD COLUMN tagline text,
      ADD COLUMN privacy_url text,
      ADD COLUMN terms_url text,
      ADD COLUMN contact text,
      ADD COLUMN optional_scopes text[] NOT NULL DEFAULT '{}'`
  }
})
