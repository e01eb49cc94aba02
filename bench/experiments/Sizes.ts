// @effect-diagnostics strictEffectProvide:off
import { Console, DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Measure from "../Measure.ts"
import type { Options } from "../Options.ts"
import type { Population } from "../Population.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../Server.ts"
import { addBallast } from "../systems/Ballast.ts"
import { slotkey } from "../systems/Slotkey.ts"

/**
 * Fills the tables that grow with users and grants, and tells how many bytes a row takes with its indexes, and how many
 * a request writes to the write-ahead log (docs/operations/capacity.md).
 */
export const sizes = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  const url = yield* postgres.database("bench")
  const population = { clients: options.clients, users: 1000, codes: 20_000 }
  yield* slotkey.prepare(url, population)
  yield* addBallast(url, options.ballast)
  yield* rows(options.ballast.grants).pipe(Effect.provide(Postgres.connect(url)))
  yield* log(postgres, url, population, options).pipe(Effect.provide(Postgres.connect(url)))
})

const log = Effect.fnUntraced(function*(
  postgres: Postgres.Postgres,
  url: string,
  population: Population,
  options: Options
) {
  const sql = yield* SqlClient.SqlClient
  const server = yield* Server.start(slotkey, url, options)
  const load = new TokenLoad(population)
  let left = population.codes
  const sources = { exchange: load.exchange, refresh: () => left-- > 0 ? load.refresh() : undefined }
  const position = sql<{ bytes: number }>`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes`
  for (const [name, source] of Object.entries(sources)) {
    const [before] = yield* position
    yield* Measure.loop(postgres, [server], source, { ...options, warmUp: 0, seconds: 600 })
    const [after] = yield* position
    const bytes = ((after?.bytes ?? 0) - (before?.bytes ?? 0)) / population.codes
    yield* Console.log(`${name}: ${Math.round(bytes)} bytes of the write-ahead log for each`)
  }
})

const rows = Effect.fnUntraced(function*(count: number) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const today = DateTime.toDateUtc(now)
  const later = DateTime.toDateUtc(DateTime.add(now, { days: 14 }))
  yield* sql`INSERT INTO sessions (digest, user_id, created_at, last_seen_at, expires_at)
    SELECT sha256(n::text::bytea), gen_random_uuid()::text, ${today}, ${today}, ${later}
    FROM generate_series(1, ${count}::int) AS n`
  yield* sql`INSERT INTO codes (digest, client_id, user_id, scopes, redirect_uri, code_challenge, created_at, expires_at)
    SELECT sha256(n::text::bytea), 'ballast_client_1', gen_random_uuid()::text, ARRAY['BOOKING_READ', 'PROFILE_READ'],
      'https://app.example/callback', repeat('c', 43), ${today}, ${later}
    FROM generate_series(1, ${count}::int) AS n`
  yield* sql`INSERT INTO audit_log (at, actor, action, client_id, user_id, details)
    SELECT ${today}, gen_random_uuid()::text, 'consent.given', 'ballast_client_' || n, gen_random_uuid()::text,
      '{"scopes": ["BOOKING_READ", "PROFILE_READ"]}'
    FROM generate_series(1, ${count}::int) AS n`
  yield* sql`INSERT INTO outbox (queue, subject, payload, created_at, enqueued_at, done_at)
    SELECT 'new-connections', gen_random_uuid()::text,
      jsonb_build_object('clientId', gen_random_uuid(), 'userId', gen_random_uuid()), ${today}, ${today}, ${today}
    FROM generate_series(1, ${count}::int) AS n`
  yield* sql`INSERT INTO grant_uses (grant_id, rights) SELECT id, ${uses}::json FROM grants LIMIT ${count}`
  yield* sql`INSERT INTO client_needs (client_id, day, need, outcome, calls)
    SELECT id, current_date - n, 'BOOKING_READ', 'allowed', 1000
    FROM (SELECT id FROM clients LIMIT ${Math.ceil(count / 91)}::int) c, generate_series(1, 91) AS n`
  yield* sql`INSERT INTO client_operations (client_id, day, operation, outcome, calls)
    SELECT client_id, day, 'GET /v2/bookings/{bookingUid}/attendees', outcome, calls FROM client_needs`
  yield* sql`VACUUM ANALYZE`
  const tables = yield* sql<{ name: string; rows: number; heap: number; indexes: number }>`
    SELECT relname AS name, reltuples::int AS rows, pg_table_size(oid)::float8 AS heap,
      pg_indexes_size(oid)::float8 AS indexes
    FROM pg_class WHERE relkind = 'r' AND reltuples >= 1000 AND relnamespace = 'public'::regnamespace ORDER BY relname`
  for (const { heap, indexes, name, rows } of tables) {
    yield* Console.log(
      `${name}: ${rows} rows, ${megabytes(heap)} and indexes of ${megabytes(indexes)}: ` +
        `${Math.round((heap + indexes) / rows)} bytes a row`
    )
  }
})

/** Two rights of a grant that was used in each of the weeks that are kept. */
const uses = JSON.stringify(Object.fromEntries(["BOOKING_READ", "PROFILE_READ"].map((need) => [
  need,
  [1_764_000_000, 1_771_900_000, 2917, ...Array.from({ length: 13 }, (_, week) => 20 + week)]
])))

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
