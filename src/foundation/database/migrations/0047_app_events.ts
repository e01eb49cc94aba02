import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Events that apps hear of at an endpoint of their own. Servers of the release before write none: what they end
// meanwhile, apps learn by the next request that is refused.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE event_endpoints (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    url text NOT NULL,
    -- Secret of the signature, sealed with the master key, and the one before it until then.
    secret text NOT NULL,
    secret_at timestamptz NOT NULL,
    previous_secret text,
    previous_until timestamptz,
    created_at timestamptz NOT NULL,
    -- Attempts that failed since the last that did not, and until when there is none.
    failures integer NOT NULL DEFAULT 0,
    retry_at timestamptz,
    -- When the owner was told that events were given up.
    told_at timestamptz
  )`

  yield* sql`CREATE TABLE app_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Header webhook-id, the same at each attempt.
    message_id text NOT NULL UNIQUE,
    client_id text NOT NULL REFERENCES event_endpoints ON DELETE CASCADE,
    type text NOT NULL,
    data jsonb NOT NULL,
    at timestamptz NOT NULL,
    -- When the next attempt is due; null once the event is delivered or given up.
    due_at timestamptz,
    -- An attempt that fails after this is the last.
    tried_until timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    -- Of the last attempt: the status of the answer, or why there was none.
    tried_at timestamptz,
    status integer,
    fault text,
    delivered_at timestamptz
  )`
  yield* sql`CREATE INDEX app_events_client ON app_events (client_id, id)`
  yield* sql`CREATE INDEX app_events_due ON app_events (client_id, attempts, id) WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX app_events_at ON app_events (at)`
})
