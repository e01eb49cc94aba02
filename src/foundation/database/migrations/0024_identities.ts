import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Accounts that an identity provider vouches for, known by its issuer and the subject there. Their addresses are its word,
// so they are not unique, and stand apart from those of local accounts: nobody takes over an account by an address.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE accounts ADD COLUMN linked boolean NOT NULL DEFAULT false`
  yield* sql`DROP INDEX accounts_email`
  yield* sql`CREATE UNIQUE INDEX accounts_email ON accounts (lower(email)) WHERE NOT linked`

  yield* sql`CREATE TABLE identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
    -- The platform said that this user has left. The account is disabled at the same instant.
    removed_at timestamptz,
    PRIMARY KEY (issuer, subject)
  )`
  yield* sql`CREATE INDEX identities_account ON identities (account_id)`

  // The sign-in at the provider from which a session came, by which the provider ends it, too.
  yield* sql`ALTER TABLE sessions ADD COLUMN issuer text`
  yield* sql`ALTER TABLE sessions ADD COLUMN subject text`
  yield* sql`ALTER TABLE sessions ADD COLUMN sid text`
  yield* sql`CREATE INDEX sessions_identity ON sessions (issuer, subject) WHERE issuer IS NOT NULL`
  // The session stands for what the browser itself shows with each request, and for nothing else.
  yield* sql`ALTER TABLE sessions ADD COLUMN of_browser boolean NOT NULL DEFAULT false`
})
