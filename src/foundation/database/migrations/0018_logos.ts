import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Pictures of apps, fetched from the addresses that their owners named, by the digest of the bytes; and what became of
// fetching those that the column `logo_url` had before there were any.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE logos (
    digest text NOT NULL,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    picture bytea NOT NULL CHECK (octet_length(picture) <= 102400),
    PRIMARY KEY (digest, client_id)
  )`
  yield* sql`CREATE INDEX logos_client ON logos (client_id)`
  yield* sql`ALTER TABLE clients ADD COLUMN logo_digest text`
  yield* sql`ALTER TABLE client_changes ADD COLUMN logo_digest text`
  yield* sql`CREATE TABLE logo_failures (
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    logo_url text NOT NULL,
    reason text NOT NULL,
    attempts integer NOT NULL,
    retry_at timestamptz
  )`
  // The digest, because an index has no room for the longest addresses.
  yield* sql`CREATE UNIQUE INDEX logo_failures_address ON logo_failures (client_id, md5(logo_url))`
})
