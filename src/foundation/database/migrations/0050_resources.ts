import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Resources beside the API, each with tokens of its own (RFC 8707). Servers of the release before know none: for them
// every grant is one for the API, so the first resource is registered when the last of them has stopped.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE resources (
    id uuid PRIMARY KEY,
    -- Absolute URI, the audience of its tokens. It never changes.
    identifier text NOT NULL UNIQUE,
    name text NOT NULL,
    -- Scopes that can be asked for it, and those with which clients begin.
    scopes text[] NOT NULL,
    base_scopes text[] NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- Grows with each change, so that none overwrites another unseen.
    version integer NOT NULL DEFAULT 1
  )`

  // Resource for which a user is asked, and for which a code or a grant is; null for the API.
  yield* sql`ALTER TABLE authorization_requests ADD COLUMN resource text`
  yield* sql`ALTER TABLE codes ADD COLUMN resource text`
  yield* sql`ALTER TABLE grants ADD COLUMN resource text`
  // Resource about whose tokens alone a credential may ask; null for those of all.
  yield* sql`ALTER TABLE resource_servers ADD COLUMN resource text`
})
