import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Dynamic registration (RFC 7591, RFC 7592). Servers of the release before have no endpoint for it.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // An app that registers by itself may wish for no scope: it has those that a user is asked for when it is reviewed.
  yield* sql`ALTER TABLE clients DROP CONSTRAINT clients_check, ADD CONSTRAINT clients_check
    CHECK (legacy OR cardinality(scopes) > 0 OR origin = 'dynamic' AND status IN ('pending', 'rejected'))`

  // Initial access tokens, each for some registrations (RFC 7591 §1.2). Uses are counted, and null is no limit.
  yield* sql`CREATE TABLE initial_tokens (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    digest bytea NOT NULL UNIQUE,
    last_four text NOT NULL,
    created_at timestamptz NOT NULL,
    created_by text NOT NULL,
    expires_at timestamptz,
    most_uses integer,
    uses integer NOT NULL DEFAULT 0,
    revoked_at timestamptz
  )`

  // What an app that registered by itself said, beside what its row of clients has of it.
  yield* sql`CREATE TABLE registrations (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    -- Of its registration access token.
    digest bytea NOT NULL UNIQUE,
    -- Metadata as it sent them last, as JSON with the names of RFC 7591.
    metadata text NOT NULL,
    registered_at timestamptz NOT NULL,
    -- When a user first asked for its review; until then it is not in the queue.
    asked_at timestamptz,
    -- When it was last seen to have access, by the sweep.
    used_at timestamptz,
    initial_token uuid REFERENCES initial_tokens ON DELETE SET NULL
  )`
  yield* sql`CREATE INDEX registrations_unasked ON registrations (registered_at) WHERE asked_at IS NULL`
  yield* sql`CREATE INDEX registrations_initial_token ON registrations (initial_token)
    WHERE initial_token IS NOT NULL`
})
