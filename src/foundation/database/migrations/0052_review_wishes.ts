import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// People who wait for the review of an app that nobody registered, or of what it asks for more. Servers of the release
// before know no such apps.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Who has asked for a review, and why: one row a person and app, which the next wish replaces.
  yield* sql`CREATE TABLE review_wishes (
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    user_id text NOT NULL,
    reason text NOT NULL,
    scopes text[] NOT NULL,
    asked_at timestamptz NOT NULL,
    -- When the mail about the decision was published.
    told_at timestamptz,
    PRIMARY KEY (client_id, user_id)
  )`
  yield* sql`CREATE INDEX review_wishes_user ON review_wishes (user_id)`
  yield* sql`CREATE INDEX review_wishes_asked_at ON review_wishes (asked_at)`

  // Authorization requests that go on when the decision falls, each for its user, in whatever browser.
  yield* sql`CREATE TABLE waiting_requests (
    id text PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    user_id text NOT NULL,
    -- Path of the authorization endpoint with the query as it was sent, the state of the app among it.
    location text NOT NULL,
    kept_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  )`
  yield* sql`CREATE INDEX waiting_requests_user ON waiting_requests (user_id)`
  yield* sql`CREATE INDEX waiting_requests_client ON waiting_requests (client_id)`
  yield* sql`CREATE INDEX waiting_requests_expires_at ON waiting_requests (expires_at)`
})
