import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Accounts, and the ways into them.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // No table of what users have references this one: with a platform's own identity source it stays empty.
  yield* sql`CREATE TABLE accounts (
    id text PRIMARY KEY,
    email text NOT NULL,
    username text NOT NULL,
    name text NOT NULL,
    password_hash text,
    role text NOT NULL,
    avatar_url text,
    bio text,
    time_format integer NOT NULL DEFAULT 12 CHECK (time_format IN (12, 24)),
    default_schedule_id integer,
    week_start text NOT NULL DEFAULT 'Sunday',
    time_zone text NOT NULL DEFAULT 'UTC',
    locale text NOT NULL DEFAULT 'en',
    organization_id integer,
    created_at timestamptz NOT NULL,
    disabled_at timestamptz,
    -- An identity provider vouches for it. Its address is the provider's word, so it is not unique: nobody takes over an
    -- account by an address.
    linked boolean NOT NULL DEFAULT false,
    -- The role of a linked account that was set here. The claims of its provider may lend it a higher one: role is the
    -- higher of the two, which counts until role_until, and after that role_here does.
    role_here text NOT NULL DEFAULT 'user',
    role_until timestamptz,
    -- Whether the provider vouches for the address of a linked account; apps get no other. Null in a local account, whose
    -- address comes from a mailed link or from the operator.
    email_verified boolean
  )`
  // NOT VALID, as in databases that are older than this step: those checked new rows alone when a role was added.
  yield* sql`ALTER TABLE accounts
    ADD CONSTRAINT accounts_role_check CHECK (role IN ('user', 'reviewer', 'admin')) NOT VALID,
    ADD CONSTRAINT accounts_role_here_check CHECK (role_here IN ('user', 'reviewer', 'admin')) NOT VALID`
  yield* sql`CREATE UNIQUE INDEX accounts_email ON accounts (lower(email)) WHERE NOT linked`
  yield* sql`CREATE UNIQUE INDEX accounts_username ON accounts (lower(username))`

  // Linked accounts by the issuer of their provider and the subject there.
  yield* sql`CREATE TABLE identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
    -- The platform said that this user has left. The account is disabled at the same instant.
    removed_at timestamptz,
    PRIMARY KEY (issuer, subject)
  )`
  yield* sql`CREATE INDEX identities_account ON identities (account_id)`

  yield* sql`CREATE TABLE setup_links (
    digest bytea PRIMARY KEY,
    expires_at timestamptz NOT NULL
  )`

  // Every row dies after hours or days, so the table would be mostly garbage between two runs of vacuum.
  yield* sql`CREATE TABLE sessions (
    digest bytea PRIMARY KEY,
    user_id text NOT NULL,
    created_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    -- What the pages that it is sent to next have to say about what was just done.
    notices jsonb,
    -- When the user last proved who they are: when the session began, unless it says otherwise.
    authenticated_at timestamptz,
    -- What tells the user one session from another.
    user_agent text,
    address text,
    -- The sign-in at the provider from which it came, by which the provider ends it, too.
    issuer text,
    subject text,
    sid text,
    -- It stands for what the browser itself shows with each request, and for nothing else.
    of_browser boolean NOT NULL DEFAULT false,
    -- The way by which it began.
    way text
  ) WITH (autovacuum_vacuum_scale_factor = 0.05)`
  yield* sql`CREATE INDEX sessions_user ON sessions (user_id)`
  yield* sql`CREATE INDEX sessions_expiry ON sessions (expires_at)`
  yield* sql`CREATE INDEX sessions_identity ON sessions (issuer, subject) WHERE issuer IS NOT NULL`

  // The counts of all limits (`Limiter`), `rate_limits` since the step after this one.
  yield* sql`CREATE TABLE sign_in_failures (
    subject text PRIMARY KEY,
    count integer NOT NULL,
    window_ends_at timestamptz NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0.05)`
  yield* sql`CREATE INDEX sign_in_failures_expiry ON sign_in_failures (window_ends_at)`

  yield* sql`CREATE TABLE api_keys (
    id text PRIMARY KEY,
    user_id text NOT NULL,
    name text NOT NULL,
    digest bytea NOT NULL UNIQUE,
    last_four text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at timestamptz,
    expires_at timestamptz,
    -- When a mail warned of its end.
    warned_at timestamptz
  )`
  yield* sql`CREATE INDEX api_keys_user ON api_keys (user_id)`
  yield* sql`CREATE INDEX api_keys_revoked ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL`

  // What browsers come back to after a sign-in: pages, and forms as their users had filled them in.
  yield* sql`CREATE TABLE continuations (
    id text PRIMARY KEY,
    location text NOT NULL,
    user_id text,
    action text,
    fields jsonb,
    expires_at timestamptz NOT NULL,
    CHECK ((user_id IS NULL) = (action IS NULL) AND (action IS NULL) = (fields IS NULL))
  )`
  yield* sql`CREATE INDEX continuations_user ON continuations (user_id) WHERE user_id IS NOT NULL`
  yield* sql`CREATE INDEX continuations_expiry ON continuations (expires_at)`

  // Links that are mailed to people: invitations, new passwords, new addresses. Each attempt at a mail has a token of
  // its own, so that no store but the mailbox ever holds one, and a mail that was sent twice works whichever is opened.
  yield* sql`CREATE TABLE mailed_links (
    id text PRIMARY KEY,
    purpose text NOT NULL,
    account_id text REFERENCES accounts ON DELETE CASCADE,
    email text NOT NULL,
    role text,
    invited_by text,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  )`
  yield* sql`CREATE INDEX mailed_links_account ON mailed_links (account_id)`
  yield* sql`CREATE INDEX mailed_links_expiry ON mailed_links (expires_at)`
  yield* sql`CREATE UNIQUE INDEX mailed_links_invitation ON mailed_links (lower(email)) WHERE purpose = 'invitation'`
  yield* sql`CREATE TABLE mailed_link_tokens (
    digest bytea PRIMARY KEY,
    link_id text NOT NULL REFERENCES mailed_links ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX mailed_link_tokens_link ON mailed_link_tokens (link_id)`

  // The requests to the platform's sign-in page that were answered, by the digest of their nonce: each is answered
  // once.
  yield* sql`CREATE TABLE spent_answers (digest bytea PRIMARY KEY, expires_at timestamptz NOT NULL)`
  yield* sql`CREATE INDEX spent_answers_expiry ON spent_answers (expires_at)`
})
