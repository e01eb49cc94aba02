import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Consents, codes and grants, and the keys of tokens.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // The questions that users are asked; a decision is bound to this row, never to values from the form. Every row dies
  // after minutes.
  yield* sql`CREATE TABLE authorization_requests (
    id text PRIMARY KEY,
    session_digest bytea NOT NULL REFERENCES sessions ON DELETE CASCADE,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    redirect_uri text NOT NULL,
    scopes text[],
    state text,
    code_challenge text,
    expires_at timestamptz NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0.05)`
  yield* sql`CREATE INDEX authorization_requests_expiry ON authorization_requests (expires_at)`
  yield* sql`CREATE INDEX authorization_requests_session ON authorization_requests (session_digest, expires_at)`

  // The unit of consent: all tokens of a grant share its row. Only its refresh tokens contain the handle. A refresh
  // changes only columns without an index, so that the update stays heap-only. Of fifty million rows PostgreSQL's
  // default of a fifth would be ten million dead ones, and the index on `expires_at` keeps the entries of what the
  // sweeps deleted until then.
  yield* sql`CREATE TABLE grants (
    id uuid PRIMARY KEY,
    handle_digest bytea NOT NULL,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    user_id text NOT NULL,
    scopes text[],
    generation integer NOT NULL DEFAULT 0,
    rotated_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    revocation_reason text,
    -- The latest generation that was seen in use.
    used_generation integer NOT NULL DEFAULT 0,
    -- Whether the server from which the grant was taken over rotated refresh tokens; null for those opened here.
    imported_rotates boolean,
    -- The idle lifetime that an import set, in days; null for the one of the settings.
    idle_days integer,
    -- Apps that refresh several times at once: when their tokens were replaced (src/core/grants/GraceWindows.ts), and the
    -- generation that was handed out more than once.
    window_generation integer,
    window_began_at timestamptz,
    earlier_generation integer,
    earlier_began_at timestamptz,
    repeated_generation integer,
    -- When another server issued the token of an imported grant, where its import said so; null for grants opened here.
    issued_at timestamptz
  ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`
  yield* sql`CREATE INDEX grants_user ON grants (user_id, client_id)`
  yield* sql`CREATE INDEX grants_client ON grants (client_id)`
  yield* sql`CREATE INDEX grants_expiry ON grants (expires_at)`

  // Reads grants that a statement is about to ask for (`src/core/grants/ReadAhead.ts`). A bitmap scan asks the disk for
  // up to 64 pages at once, where the scan of an index asks for one after the other.
  yield* sql`CREATE FUNCTION read_grants_ahead(ids uuid[]) RETURNS boolean LANGUAGE plpgsql STABLE
    SET enable_indexscan = off SET enable_seqscan = off
    AS $$ BEGIN
      PERFORM count(generation) FROM grants WHERE id = ANY(ids);
      RETURN true;
    END $$`
  // Systems without posix_fadvise, such as macOS, take no other value than 0 there.
  yield* sql`DO $$ BEGIN
      ALTER FUNCTION read_grants_ahead SET effective_io_concurrency = 64;
    EXCEPTION WHEN invalid_parameter_value THEN NULL;
    END $$`

  // A spent code keeps its row until it expires, so that a replay finds the grant to revoke. Each is written twice,
  // when it is issued and when it is spent: free space lets the second version stay in the page of the first. Thousands
  // die in a second, so they are vacuumed without pauses.
  yield* sql`CREATE TABLE codes (
    digest bytea PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    user_id text NOT NULL,
    scopes text[],
    redirect_uri text NOT NULL,
    code_challenge text,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    grant_id uuid
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0)`
  yield* sql`CREATE INDEX codes_expiry ON codes (expires_at)`

  yield* sql`CREATE TABLE server_keys (
    id text PRIMARY KEY,
    purpose text NOT NULL CHECK (purpose IN ('access-token', 'access-token-mac', 'refresh-token')),
    algorithm text NOT NULL,
    public_jwk jsonb,
    encrypted_key text NOT NULL,
    created_at timestamptz NOT NULL,
    active_from timestamptz NOT NULL,
    retired_at timestamptz
  )`

  // Resource servers may introspect the tokens of all clients (RFC 7662); the CLI makes them.
  yield* sql`CREATE TABLE resource_servers (
    id text PRIMARY KEY,
    name text NOT NULL,
    digest bytea NOT NULL UNIQUE,
    last_four text NOT NULL,
    created_at timestamptz NOT NULL,
    revoked_at timestamptz
  )`
})
