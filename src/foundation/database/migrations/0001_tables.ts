import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The statements of the application write all instants (`DatabaseClock`), so no column has a default time.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // No table of what users have references this one: with a platform's own identity source it stays empty.
  yield* sql`CREATE TABLE accounts (
    id text PRIMARY KEY,
    email text NOT NULL,
    username text NOT NULL,
    name text NOT NULL,
    password_hash text,
    role text NOT NULL CHECK (role IN ('user', 'admin')),
    avatar_url text,
    bio text,
    time_format integer NOT NULL DEFAULT 12 CHECK (time_format IN (12, 24)),
    default_schedule_id integer,
    week_start text NOT NULL DEFAULT 'Sunday',
    time_zone text NOT NULL DEFAULT 'UTC',
    locale text NOT NULL DEFAULT 'en',
    organization_id integer,
    created_at timestamptz NOT NULL,
    disabled_at timestamptz
  )`
  yield* sql`CREATE UNIQUE INDEX accounts_email ON accounts (lower(email))`
  yield* sql`CREATE UNIQUE INDEX accounts_username ON accounts (lower(username))`

  yield* sql`CREATE TABLE setup_links (
    digest bytea PRIMARY KEY,
    expires_at timestamptz NOT NULL
  )`

  yield* sql`CREATE TABLE sessions (
    digest bytea PRIMARY KEY,
    user_id text NOT NULL,
    created_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  )`
  yield* sql`CREATE INDEX sessions_user ON sessions (user_id)`
  yield* sql`CREATE INDEX sessions_expiry ON sessions (expires_at)`

  yield* sql`CREATE TABLE sign_in_failures (
    subject text PRIMARY KEY,
    count integer NOT NULL,
    window_ends_at timestamptz NOT NULL
  )`
  yield* sql`CREATE INDEX sign_in_failures_expiry ON sign_in_failures (window_ends_at)`

  yield* sql`CREATE TABLE api_keys (
    id text PRIMARY KEY,
    user_id text NOT NULL,
    name text NOT NULL,
    digest bytea NOT NULL UNIQUE,
    last_four text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at timestamptz
  )`
  yield* sql`CREATE INDEX api_keys_user ON api_keys (user_id)`

  yield* sql`CREATE TABLE clients (
    id text PRIMARY KEY,
    owner_id text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('confidential', 'public')),
    legacy boolean NOT NULL DEFAULT false,
    status text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'suspended')),
    name text NOT NULL,
    purpose text NOT NULL,
    website text NOT NULL,
    logo_url text,
    redirect_uris text[] NOT NULL CHECK (cardinality(redirect_uris) BETWEEN 1 AND 10),
    scopes text[] NOT NULL CHECK (legacy OR cardinality(scopes) > 0),
    rejection_reason text,
    submitted_at timestamptz NOT NULL,
    reviewed_at timestamptz,
    reviewed_by text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version integer NOT NULL DEFAULT 1,
    migrated_at timestamptz
  )`
  yield* sql`CREATE INDEX clients_owner ON clients (owner_id)`
  yield* sql`CREATE INDEX clients_queue ON clients (status, submitted_at)`

  // Changes of approved clients that wait for review; the approved version in `clients` keeps serving meanwhile.
  yield* sql`CREATE TABLE client_changes (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    name text NOT NULL,
    website text NOT NULL,
    logo_url text,
    redirect_uris text[] NOT NULL CHECK (cardinality(redirect_uris) BETWEEN 1 AND 10),
    scopes text[] NOT NULL,
    rejection_reason text,
    submitted_at timestamptz NOT NULL
  )`

  yield* sql`CREATE TABLE client_secrets (
    id text PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    digest bytea NOT NULL,
    last_four text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz
  )`
  yield* sql`CREATE INDEX client_secrets_client ON client_secrets (client_id)`

  // The last refused requests of each client, at most 50, for its owner.
  yield* sql`CREATE TABLE rejections (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    at timestamptz NOT NULL,
    endpoint text NOT NULL CHECK (endpoint IN ('authorize', 'token')),
    error text NOT NULL,
    reason text NOT NULL,
    times integer NOT NULL
  )`
  yield* sql`CREATE INDEX rejections_client ON rejections (client_id, id)`
  yield* sql`CREATE INDEX rejections_at ON rejections (at)`

  // The questions that users are asked; a decision is bound to this row, never to values from the form.
  yield* sql`CREATE TABLE authorization_requests (
    id text PRIMARY KEY,
    session_digest bytea NOT NULL REFERENCES sessions ON DELETE CASCADE,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    redirect_uri text NOT NULL,
    scopes text[],
    state text,
    code_challenge text,
    expires_at timestamptz NOT NULL
  )`
  yield* sql`CREATE INDEX authorization_requests_expiry ON authorization_requests (expires_at)`

  // The unit of consent: all tokens of a grant share its row. Only its refresh tokens contain the handle. A refresh
  // changes only columns without an index, so that the update stays heap-only.
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
    revocation_reason text
  ) WITH (fillfactor = 80)`
  yield* sql`CREATE INDEX grants_user ON grants (user_id, client_id)`
  yield* sql`CREATE INDEX grants_client ON grants (client_id)`
  yield* sql`CREATE INDEX grants_expiry ON grants (expires_at)`

  // A spent code keeps its row until it expires, so that a replay finds the grant to revoke.
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
  )`
  yield* sql`CREATE INDEX codes_expiry ON codes (expires_at)`

  yield* sql`CREATE TABLE server_keys (
    id text PRIMARY KEY,
    purpose text NOT NULL CHECK (purpose IN ('access-token', 'refresh-token')),
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

  yield* sql`CREATE TABLE audit_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    client_id text,
    user_id text,
    grant_id uuid,
    details jsonb NOT NULL DEFAULT '{}'
  )`
  yield* sql`CREATE INDEX audit_log_client ON audit_log (client_id, id)`
  yield* sql`CREATE INDEX audit_log_user ON audit_log (user_id, id)`

  // A job is open until it is done or dead; only the first open job of each queue and subject is enqueued.
  yield* sql`CREATE TABLE outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    queue text NOT NULL,
    subject text NOT NULL,
    payload jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    enqueued_at timestamptz,
    done_at timestamptz,
    dead_at timestamptz,
    cause text,
    replayed_at timestamptz
  )`
  yield* sql`CREATE INDEX outbox_waiting ON outbox (id)
    WHERE enqueued_at IS NULL AND done_at IS NULL AND dead_at IS NULL`
  yield* sql`CREATE INDEX outbox_enqueued ON outbox (enqueued_at)
    WHERE enqueued_at IS NOT NULL AND done_at IS NULL AND dead_at IS NULL`
  yield* sql`CREATE INDEX outbox_open ON outbox (queue, subject, id) WHERE done_at IS NULL AND dead_at IS NULL`
  yield* sql`CREATE INDEX outbox_dead ON outbox (id) WHERE dead_at IS NOT NULL`
  yield* sql`CREATE INDEX outbox_done ON outbox (done_at)`

  // The recipients that a job has told, so that its next attempt tells only the others.
  yield* sql`CREATE TABLE deliveries (
    outbox_id bigint NOT NULL REFERENCES outbox ON DELETE CASCADE,
    recipient text NOT NULL,
    delivered_at timestamptz NOT NULL,
    PRIMARY KEY (outbox_id, recipient)
  )`

  // The last reminder that administrators got of a client that waits for review.
  yield* sql`CREATE TABLE review_reminders (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    reminded_at timestamptz NOT NULL
  )`

  // The authorization requests of legacy clients, counted by day and scope. '' counts the requests without scope and
  // '*' those with any: at most 48 rows a day for one client.
  yield* sql`CREATE TABLE legacy_authorizations (
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    day date NOT NULL,
    scope text NOT NULL,
    requests bigint NOT NULL,
    last_at timestamptz NOT NULL,
    PRIMARY KEY (client_id, day, scope)
  )`
  yield* sql`CREATE INDEX legacy_authorizations_day ON legacy_authorizations (day)`

  // The authorization requests without scope that were refused since a legacy client's scopes were saved. Each saving
  // starts from zero.
  yield* sql`CREATE TABLE legacy_refusals (
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    migrated_at timestamptz NOT NULL,
    requests bigint NOT NULL,
    last_at timestamptz NOT NULL,
    PRIMARY KEY (client_id, migrated_at)
  )`

  // Imported refresh tokens, by the digest of a token's digest: the handle is derived from the digest itself, which
  // must not be found here. A row outlives its grant, so that a repeated import does not revive what has ended.
  yield* sql`CREATE TABLE imported_refresh_tokens (
    digest bytea PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    grant_id uuid NOT NULL
  )`
  yield* sql`CREATE INDEX imported_refresh_tokens_client ON imported_refresh_tokens (client_id)`

  // The last mail that asked the owner of a legacy client to move it to scopes.
  yield* sql`CREATE TABLE migration_mails (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    asked_at timestamptz NOT NULL
  )`

  yield* sql`CREATE TABLE migration_audits (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    job text NOT NULL,
    at timestamptz NOT NULL,
    days integer NOT NULL,
    unscoped_requests bigint NOT NULL,
    scoped_requests bigint NOT NULL,
    last_unscoped_at timestamptz,
    scopes text[] NOT NULL,
    unscoped_grants bigint NOT NULL,
    verdict text NOT NULL CHECK (verdict IN ('not-started', 'url-without-scope', 'safe-to-save', 'migrated')),
    UNIQUE (client_id, job)
  )`
  yield* sql`CREATE INDEX migration_audits_client ON migration_audits (client_id, id)`
})
