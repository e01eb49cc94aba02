import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Apps, and their review.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

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
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version integer NOT NULL DEFAULT 1,
    migrated_at timestamptz,
    -- How long its replaced refresh tokens are answered.
    refresh_grace text NOT NULL DEFAULT 'until-used' CHECK (refresh_grace IN ('until-used', 'short')),
    -- Words that its old server took in the parameter scope.
    scope_words text[] NOT NULL DEFAULT '{}',
    -- Since when its requests are counted.
    observed_since timestamptz NOT NULL DEFAULT now(),
    logo_digest text
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
    submitted_at timestamptz NOT NULL,
    logo_digest text
  )`

  yield* sql`CREATE TABLE client_secrets (
    id text PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    digest bytea NOT NULL,
    last_four text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    -- An imported secret may be short.
    guessable boolean NOT NULL DEFAULT false,
    -- The slow digest under which another server kept it, until its first use here. Until then digest holds random bytes,
    -- which are the digest of nothing that anybody knows.
    foreign_digest text
  )`
  yield* sql`CREATE INDEX client_secrets_client ON client_secrets (client_id)`

  // The last refused requests of each client, at most 50, for its owner, in `refused_requests` since the step after
  // this one.
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

  // Pictures of apps, fetched from the addresses that their owners named, by the digest of the bytes.
  yield* sql`CREATE TABLE logos (
    digest text NOT NULL,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    picture bytea NOT NULL CHECK (octet_length(picture) <= 102400),
    PRIMARY KEY (digest, client_id)
  )`
  yield* sql`CREATE INDEX logos_client ON logos (client_id)`

  // What became of fetching those whose client has an address of one and no digest.
  yield* sql`CREATE TABLE logo_failures (
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    logo_url text NOT NULL,
    reason text NOT NULL,
    attempts integer NOT NULL,
    retry_at timestamptz
  )`
  // The digest, because an index has no room for the longest addresses.
  yield* sql`CREATE UNIQUE INDEX logo_failures_address ON logo_failures (client_id, md5(logo_url))`

  // The skeletons of the names that apps have and want, for comparison. The names say what the skeletons are of, and
  // `rules` how they were made: a row that no longer fits its client is made again before the next comparison.
  yield* sql`CREATE TABLE name_skeletons (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    name text NOT NULL,
    skeletons text[] NOT NULL,
    wanted_name text,
    wanted_skeletons text[] NOT NULL,
    rules integer NOT NULL
  )`
  yield* sql`CREATE INDEX name_skeletons_skeletons ON name_skeletons USING gin (skeletons) WITH (fastupdate = off)`
  yield* sql`CREATE INDEX name_skeletons_wanted ON name_skeletons USING gin (wanted_skeletons) WITH (fastupdate = off)`

  // The last reminder that administrators got of a client that waits for review.
  yield* sql`CREATE TABLE review_reminders (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    reminded_at timestamptz NOT NULL
  )`

  // What each reviewer has yet to be told about apps that wait, and the last digest that told them.
  yield* sql`CREATE TABLE review_news (
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    user_id text NOT NULL,
    event text NOT NULL,
    at timestamptz NOT NULL,
    -- The job whose mail tells of it, once there is one.
    outbox_id bigint REFERENCES outbox ON DELETE SET NULL,
    PRIMARY KEY (client_id, user_id)
  )`
  yield* sql`CREATE INDEX review_news_user ON review_news (user_id)`
  yield* sql`CREATE INDEX review_news_outbox ON review_news (outbox_id) WHERE outbox_id IS NOT NULL`
  yield* sql`CREATE TABLE review_digests (
    user_id text PRIMARY KEY,
    outbox_id bigint NOT NULL,
    sent_at timestamptz
  )`
})
