import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// What a code, and the grant that it opens, know of the consent on which they rest. All of it is null in rows of older
// code: nothing was declined there, nobody knows where, and the grant has the server's own lifetime.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Scopes that were asked for and that the user declined; the browser and the network address of the consent; and the
  // end that the user chose for the grant.
  yield* sql`ALTER TABLE codes
    ADD COLUMN declined text[],
    ADD COLUMN browser text,
    ADD COLUMN place text,
    ADD COLUMN grant_expires_at timestamptz`
  yield* sql`ALTER TABLE grants
    ADD COLUMN declined text[],
    ADD COLUMN browser text,
    ADD COLUMN place text`
})
