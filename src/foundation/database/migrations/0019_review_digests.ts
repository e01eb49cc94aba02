import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// What each reviewer has yet to be told about apps that wait, and the last digest that told them.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
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
