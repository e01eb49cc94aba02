import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// How reviewers work together: who has taken which app, what is said about it, and the question that its owner has yet
// to answer. Servers of the release before know none of it: for them such an app waits like any other.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE review_claims (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    reviewer text NOT NULL,
    at timestamptz NOT NULL
  )`
  yield* sql`CREATE INDEX review_claims_reviewer ON review_claims (reviewer)`

  // Questions and answers are between the owner and the reviewers, notes among reviewers. `author` is null once that
  // account is deleted.
  yield* sql`CREATE TABLE review_messages (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    author text,
    kind text NOT NULL CHECK (kind IN ('note', 'question', 'answer')),
    text text NOT NULL,
    version integer NOT NULL,
    at timestamptz NOT NULL
  )`
  yield* sql`CREATE INDEX review_messages_client ON review_messages (client_id, id)`
  yield* sql`CREATE INDEX review_messages_author ON review_messages (author)`
  yield* sql`CREATE INDEX review_messages_at ON review_messages (at)`

  // One row while a review with a question is open. The clock stands from `asked_at` to `answered_at`; `stood` is how
  // long it stood for the questions that were answered.
  yield* sql`CREATE TABLE review_questions (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    asked_at timestamptz NOT NULL,
    answered_at timestamptz,
    stood interval NOT NULL DEFAULT interval '0'
  )`
})
