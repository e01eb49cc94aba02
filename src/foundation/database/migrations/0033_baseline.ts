import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import accounts from "./baseline/accounts.ts"
import clients from "./baseline/clients.ts"
import grants from "./baseline/grants.ts"
import jobs from "./baseline/jobs.ts"
import legacy from "./baseline/legacy.ts"

// The schema of the first release. It has the number of the last of the steps that made it up to then, so a database
// that has had them all has nothing to do. Statements write all instants (`DatabaseClock`): only `observed_since` has a
// default.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // The oldest schema whose code can run on this one: `contracts` in index.ts.
  yield* sql`ALTER TABLE slotkey_migrations ADD COLUMN compatible_from integer`
  // Each refers to those before it.
  yield* jobs
  yield* accounts
  yield* clients
  yield* grants
  yield* legacy
})
