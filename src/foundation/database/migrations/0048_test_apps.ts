import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Test apps, each beside the app that it is a copy of, and the people who may use them. For servers of the release
// before a test app is an approved app like any other, which asks everybody: TEST_APPS is turned on when the last of
// them has stopped.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // App of which a client is the test app; null for all others. An app has one.
  yield* sql`ALTER TABLE clients ADD COLUMN test_of text REFERENCES clients ON DELETE CASCADE`
  yield* sql`CREATE UNIQUE INDEX clients_test_of ON clients (test_of) WHERE test_of IS NOT NULL`

  // Invitations, by what the owner entered: nobody looks whether there is such an account. Whose account has the
  // address or the user name sees it, and is in account_id once they have accepted.
  yield* sql`CREATE TABLE test_guests (
    id uuid PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    -- Address or user name, in lower case.
    named text NOT NULL,
    invited_at timestamptz NOT NULL,
    account_id text,
    accepted_at timestamptz,
    -- Of an invitation that was declined, of which the owner learns nothing.
    declined_at timestamptz,
    UNIQUE (client_id, named)
  )`
  yield* sql`CREATE INDEX test_guests_named ON test_guests (named) WHERE accepted_at IS NULL`
  yield* sql`CREATE INDEX test_guests_account ON test_guests (account_id) WHERE account_id IS NOT NULL`

  // One row while an administrator does not let anybody make a test app.
  yield* sql`CREATE TABLE test_app_stop (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    at timestamptz NOT NULL,
    by text NOT NULL
  )`
})
