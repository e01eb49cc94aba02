import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Apps that nobody registered: those that describe themselves by a document at their id, and those that register by
// themselves. Servers of the release before take them for apps of an owner that they do not find.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE clients ADD COLUMN origin text NOT NULL DEFAULT 'registered'
    CHECK (origin IN ('registered', 'document', 'dynamic'))`

  // A document may take all addresses away at once, while those that it has instead wait for review.
  yield* sql`ALTER TABLE clients DROP CONSTRAINT clients_redirect_uris_check, ADD CONSTRAINT clients_redirect_uris_check
    CHECK (cardinality(redirect_uris) <= 10 AND (cardinality(redirect_uris) > 0 OR origin = 'document'))`

  // Documents as they were read last, each with the client that it describes.
  yield* sql`CREATE TABLE client_documents (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    -- Host of the client_id, without a port.
    host text NOT NULL,
    -- SHA-256 of the bytes, in base64url, and the bytes as text.
    digest text NOT NULL,
    content text NOT NULL,
    etag text,
    fetched_at timestamptz NOT NULL,
    -- Until when it is taken as it is, by its HTTP headers within bounds.
    fresh_until timestamptz NOT NULL,
    -- Why it could not be taken when it was asked for last, and when that was; null while it can.
    fault jsonb,
    fault_at timestamptz
  )`
  yield* sql`CREATE INDEX client_documents_host ON client_documents (host)`

  // Hosts whose documents are approved for the base set at once, each with the reviewer who trusts it.
  yield* sql`CREATE TABLE trusted_hosts (
    host text PRIMARY KEY,
    by text NOT NULL,
    at timestamptz NOT NULL
  )`

  // Digest of the client's document when the user consented.
  yield* sql`ALTER TABLE codes ADD COLUMN document_digest text`
  yield* sql`ALTER TABLE grants ADD COLUMN document_digest text`
})
