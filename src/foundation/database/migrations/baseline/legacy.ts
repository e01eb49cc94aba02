import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Legacy clients, and their way to scopes (specification §5.6).
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Imported refresh tokens, by the digest of a token's digest: the handle is derived from the digest itself, which
  // must not be found here. A row outlives its grant, so that a repeated import does not revive what has ended.
  yield* sql`CREATE TABLE imported_refresh_tokens (
    digest bytea PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    grant_id uuid NOT NULL
  )`
  yield* sql`CREATE INDEX imported_refresh_tokens_client ON imported_refresh_tokens (client_id)`

  // The last mail that told the owner of an app that grants of it, which were imported, are about to end.
  yield* sql`CREATE TABLE end_warnings (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    warned_at timestamptz NOT NULL
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

  // The requests that were refused since a legacy client's scopes were saved, by cause; those of no scope are the rest
  // of `requests`. Each saving starts from zero.
  yield* sql`CREATE TABLE legacy_refusals (
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    migrated_at timestamptz NOT NULL,
    requests bigint NOT NULL,
    last_at timestamptz NOT NULL,
    refused_scopes bigint NOT NULL DEFAULT 0,
    refused_calls bigint NOT NULL DEFAULT 0,
    superseded_grants bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (client_id, migrated_at)
  )`

  // The last mail that asked the owner of a legacy client to move it to scopes.
  yield* sql`CREATE TABLE migration_mails (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    asked_at timestamptz NOT NULL
  )`

  // What the migration board filters and sorts by, for each legacy client. `used_at` is the time of its last counted
  // request: one that is later than `at` makes the row old.
  yield* sql`CREATE TABLE migration_standings (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    verdict text NOT NULL,
    unscoped_requests bigint NOT NULL,
    unscoped_grants bigint NOT NULL,
    at timestamptz NOT NULL,
    used_at timestamptz
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
    verdict text NOT NULL,
    UNIQUE (client_id, job)
  )`
  // NOT VALID, as in databases that are older than this step: those checked new rows alone when a verdict was added.
  yield* sql`ALTER TABLE migration_audits ADD CONSTRAINT migration_audits_verdict_check CHECK (
      verdict IN ('not-started', 'url-without-scope', 'unknown-words', 'too-early', 'safe-to-save', 'migrated')
    ) NOT VALID`
  yield* sql`CREATE INDEX migration_audits_client ON migration_audits (client_id, id)`
})
