import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The language of an account is unknown until its user chooses one, or its provider says it: pages are in the language
// of the browser then. Nobody could choose one of a local account before, so English was said by nobody.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE accounts ALTER COLUMN locale SET DEFAULT ''`
  yield* sql`UPDATE accounts SET locale = '' WHERE NOT linked AND locale = 'en'`
})
