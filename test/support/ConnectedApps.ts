import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Need } from "../../src/core/usage/Need.ts"
import * as RightUses from "../../src/core/usage/RightUses.ts"
import type { GrantId, UserId } from "../../src/domain/Ids.ts"
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
export const connectApps = Effect.fnUntraced(function*(userId: UserId, count: number, of = kinds) {
  const sql = yield* SqlClient.SqlClient
  const { client } = yield* newApp()
  const apps = Array.from({ length: count }, (_, n) => ({ n, name: nameOf(n), kind: of[n % of.length] }))
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

/**
 * Lets apps of an account have used some of their rights, all of which was seen for ten months: every fourth app was
 * allowed then and not used within six months, every third uses one right and no other.
 */
export const useApps = Effect.fnUntraced(function*(userId: UserId) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE usage_gaps SET day = current_date - 300`
  const grants = yield* sql<{ readonly id: GrantId; readonly scopes: GrantedScopes }>`
    SELECT id, scopes FROM grants WHERE user_id = ${userId} ORDER BY rotated_at DESC`
  const now = seconds()
  const uses = grants.flatMap(({ id, scopes }, n) => {
    if (n % 8 === 7) return []
    const used = (scopes ?? ["BOOKING_READ", "EVENT_TYPE_READ"]).slice(0, n % 3 === 2 ? 1 : undefined)
    const rights = new Map(used.map((scope, place): readonly [Need, RightUses.Right] => {
      const last = now - (n % 4 === 3 ? 200 * day : (n * 7 + place * 3) * hour + 300)
      return [scope, { first: last - day, last, weeks: new Map([[RightUses.weekOf(last), 214 - 13 * place]]) }]
    }))
    return [{ id, rights: RightUses.encode(rights, RightUses.weekOf(now - 91 * day)) }]
  })
  yield* sql`INSERT INTO grant_uses (grant_id, rights) SELECT id, rights::json
    FROM jsonb_to_recordset(${JSON.stringify(uses)}::text::jsonb) AS u (id uuid, rights text)`
  const unused = grants.flatMap(({ id }, n) => n % 4 === 3 ? [id] : [])
  yield* sql`UPDATE grants SET created_at = now() - interval '9 months' WHERE id = ANY(${unused}::uuid[])`
}, Effect.orDie)

const [day, hour] = [86_400, 3_600]

const seconds = () => Math.floor(Date.now() / 1000)

const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
