import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Links that are mailed to people: invitations, new passwords, new addresses. Each attempt at a mail has a token of its own,
// so that no store but the mailbox ever holds one, and a mail that was sent twice works whichever is opened.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
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
})
