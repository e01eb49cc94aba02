import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Registrations that their developers have begun. Servers of the release before know none of them: they register an app
// by one form.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE registration_drafts (
    owner_id text NOT NULL,
    -- Made by the first page of a registration, and so no key by itself.
    id uuid NOT NULL,
    -- What was entered, before any rule.
    fields jsonb NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (owner_id, id)
  )`
})
