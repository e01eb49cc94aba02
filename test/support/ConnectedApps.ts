import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../src/domain/Ids.ts"
import type { GrantedScopes } from "../../src/domain/scopes/Scope.ts"
import { newApp } from "./LiveServer.ts"

/** What connected apps of a test may do, one after the other. */
export const kinds: ReadonlyArray<GrantedScopes> = [
  ["PROFILE_READ", "BOOKING_READ"],
  ["BOOKING_WRITE", "EVENT_TYPE_WRITE"],
  ["PROFILE_READ"],
  ["ORG_MEMBERSHIP_WRITE", "ORG_BOOKING_READ", "BOOKING_WRITE"],
  ["TEAM_BOOKING_WRITE", "TEAM_BOOKING_READ"],
  null,
  ["WEBHOOK_WRITE", "WEBHOOK_READ"],
  ["SCHEDULE_READ"]
]

const words = ["Door", "People", "Wall", "Shift", "Night", "Pocket", "Round", "Team", "Old", "Quick"]
const things = ["Display", "Admin", "Planner", "Exporter", "Owl", "Sync", "Robin", "Timer", "Notes"]

/** Name of the connected app of this number; names with the same end in their tens. */
export const nameOf = (n: number): string => {
  const [word, thing] = [words[n % words.length], things[n % things.length]]
  return `${word} ${thing}${n < 90 ? "" : ` ${Math.floor(n / 90) + 1}`}`
}

/**
 * Connects apps to an account by statements, and answers the ids of the apps. They are used at earlier and earlier
 * times: the first just now, each other an hour before; every tenth was imported and not used yet.
 */
export const connectApps = Effect.fnUntraced(function*(userId: UserId, count: number) {
  const sql = yield* SqlClient.SqlClient
  const { client } = yield* newApp()
  const apps = Array.from({ length: count }, (_, n) => ({ n, name: nameOf(n), kind: kinds[n % kinds.length] }))
  const rows = JSON.stringify(apps.map(({ kind, n, name }) => ({
    n,
    name,
    website: `https://${name.toLowerCase().replaceAll(" ", "-")}.example`,
    scopes: kind ?? null
  })))
  const ids = yield* sql<{ id: string }>`INSERT INTO clients
    SELECT (jsonb_populate_record(c, jsonb_build_object('id', c.id || '_' || a.n, 'name', a.name, 'website', a.website,
      'scopes', coalesce(a.scopes, '[]'), 'legacy', a.scopes IS NULL OR a.scopes = 'null'))).*
    FROM clients c, jsonb_to_recordset(${rows}::text::jsonb) AS a (n int, name text, website text, scopes jsonb)
    WHERE c.id = ${client.id} ORDER BY a.n RETURNING id`
  yield* sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, browser, place, rotated_at, created_at,
      expires_at, imported_rotates, generation)
    SELECT gen_random_uuid(), ''::bytea, ${client.id} || '_' || a.n, ${userId}, 
      CASE jsonb_typeof(a.scopes) WHEN 'array' THEN ARRAY(SELECT jsonb_array_elements_text(a.scopes)) END,
      ${browser}, '192.0.2.' || (a.n % 250), now() - a.n * interval '1 hour', now() - a.n * interval '1 hour' - interval '3 days',
      now() + interval '300 days', CASE WHEN a.n % 10 = 9 THEN true END, CASE WHEN a.n % 10 = 9 THEN 0 ELSE 3 END
    FROM jsonb_to_recordset(${rows}::text::jsonb) AS a (n int, scopes jsonb)`
  return ids.map(({ id }) => id)
}, Effect.orDie)

const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
