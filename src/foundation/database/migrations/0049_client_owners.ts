import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Co-owners of apps beside `clients.owner_id`, the invitations by which they become that, and the next owner in a
// change that waits for review. Servers of the release before know of the first owner alone: for them the others are
// strangers, and an approval of theirs changes no owner.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // A row of the owner of the app itself means nothing; it is kept so that a transfer can be undone.
  yield* sql`CREATE TABLE client_owners (
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    account_id text NOT NULL,
    role text NOT NULL,
    since timestamptz NOT NULL,
    PRIMARY KEY (client_id, account_id)
  )`
  yield* sql`CREATE INDEX client_owners_account ON client_owners (account_id)`

  // Invitations, by what was entered: nobody looks whether there is such an account (compare test_guests).
  yield* sql`CREATE TABLE owner_invitations (
    id uuid PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    -- Address or user name, in lower case.
    named text NOT NULL,
    role text NOT NULL,
    -- Whether the app is to be theirs: accepting asks the reviewers for it.
    takes_over boolean NOT NULL,
    invited_at timestamptz NOT NULL,
    -- Of an invitation that was declined, of which the app's owners learn nothing.
    declined_at timestamptz,
    UNIQUE (client_id, named)
  )`
  yield* sql`CREATE INDEX owner_invitations_named ON owner_invitations (named)`

  // Owner whom the app has once the change is approved; null for a change that leaves it with the one it has.
  yield* sql`ALTER TABLE client_changes ADD COLUMN next_owner_id text`
})
