// @effect-diagnostics strictEffectProvide:off
import { Console, DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Credential from "../../src/domain/Credential.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import type { Options } from "../Options.ts"
import type { Postgres } from "../Postgres.ts"
import { median } from "../Report.ts"
import * as Server from "../Server.ts"
import { slotkey } from "../systems/Slotkey.ts"

/** Answers of the migration board with many legacy apps: 60,000 on PostgreSQL, and 5,000 embedded. */
export const board = Effect.fnUntraced(function*(postgres: Postgres, options: Options) {
  const [many, few] = options.seconds > 1 ? [60_000, 5_000] : [6_000, 1_500]
  yield* measure(slotkey, yield* postgres.database("bench"), many, options)
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "slotkey-bench-data-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  yield* measure(embedded, folder, few, options)
})

const embedded = {
  ...slotkey,
  name: "embedded",
  process: (folder: string, port: number) => {
    const { args, env: { DATABASE_URL: _, ...env } } = slotkey.process("", port)
    return { args, env: { ...env, DATA_DIR: folder } }
  }
}

const measure = Effect.fnUntraced(function*(system: typeof slotkey, place: string, apps: number, options: Options) {
  const settings = { REQUEST_TIMEOUT: "5 minutes", ...system.process(place, 0).env }
  const token = Redacted.value(
    yield* fill(apps).pipe(Effect.provide(Database.layer.pipe(Layer.provide(AppConfig.layerTest(settings)))))
  )
  const { address } = yield* Server.start(system, place, options)
  const ask = (path: string) =>
    Effect.promise(async () => {
      const began = performance.now()
      const response = await fetch(address + path, { headers: { cookie: `__Host-slotkey=${token}` } })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
      return { text, milliseconds: performance.now() - began }
    })
  yield* Console.log(`\n${apps.toLocaleString("en")} legacy apps, ${system.name}; milliseconds`)

  const list = "/v2/admin/legacy-clients"
  let cursor = ""
  for (let page = 0; page < 10; page++) {
    const { text } = yield* ask(`${list}?limit=100&sort=name${cursor}`)
    cursor = `&cursor=${encodeURIComponent(JSON.parse(text).data.nextCursor)}`
  }
  const pages = {
    "the board": "/review/migration",
    "by verdict": "/review/migration?state=safe-to-save",
    "all, moved ones too": "/review/migration?state=all",
    "by old grants": "/review/migration?sort=grants",
    "by name": "/review/migration?sort=name",
    "by owner": "/review/migration?sort=owner",
    "search for a part of a name": "/review/migration?search=App+4242",
    "search for an owner": "/review/migration?search=owner-77%40",
    "search for what nobody has": "/review/migration?search=nothing-of-it",
    "API, 100 apps": `${list}?limit=100`,
    "API, the eleventh page by name": `${list}?limit=100&sort=name${cursor}`,
    "preview of the mails": "/review/migration/mail",
    "one app, for its reviewer": "/review/legacy-1"
  }
  for (const [name, path] of Object.entries(pages)) {
    const times: Array<number> = []
    for (let time = 0; time < 9; time++) times.push((yield* ask(path)).milliseconds)
    yield* Console.log(`${name.padEnd(32)} ${median(times).toFixed(0)} (at most ${Math.max(...times).toFixed(0)})`)
  }
  for (const format of ["csv", "json"]) {
    const { milliseconds, text } = yield* ask(`${list}/export?format=${format}&state=all`)
    yield* Console.log(
      `${`export, ${format}`.padEnd(32)} ${milliseconds.toFixed(0)}, ${(text.length / 1e6).toFixed(1)} MB`
    )
  }
}, Effect.scoped)

/**
 * Legacy apps of the last night's audit, a tenth of them used since, with ten days of requests; answers an
 * administrator's session.
 */
const fill = Effect.fnUntraced(function*(apps: number) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const [at, later] = [DateTime.toDateUtc(now), DateTime.toDateUtc(DateTime.add(now, { days: 300 }))]
  const lastNight = DateTime.toDateUtc(DateTime.subtract(now, { hours: 8 }))
  const token = yield* Credential.make("session")
  const owners = Math.ceil(apps / 20)
  yield* sql`INSERT INTO accounts (id, email, username, name, role, created_at)
    SELECT 'owner-' || n, 'owner-' || n || '@bench.example', 'owner-' || n, 'Owner ' || n,
      CASE WHEN n = 0 THEN 'admin' ELSE 'user' END, ${at} FROM generate_series(0, ${owners}::int) n`
  yield* sql`INSERT INTO sessions ${
    sql.insert({
      digest: Credential.digest(Redacted.value(token)),
      userId: "owner-0",
      createdAt: at,
      lastSeenAt: at,
      expiresAt: later
    })
  }`
  // One in eight has moved.
  yield* sql`INSERT INTO clients (id, owner_id, kind, legacy, migrated_at, status, name, purpose, website, redirect_uris,
      scopes, submitted_at, created_at, updated_at, observed_since)
    SELECT 'legacy-' || n, 'owner-' || (1 + n % ${owners}::int), 'confidential', n % 8 > 0,
      CASE WHEN n % 8 = 0 THEN ${lastNight}::timestamptz END, 'approved', 'App ' || n, 'Bench',
      'https://' || n || '.example', ARRAY['https://app.example/callback'],
      CASE WHEN n % 8 = 0 THEN ARRAY['PROFILE_READ'] ELSE '{}' END, ${lastNight}, ${lastNight}, ${lastNight},
      ${lastNight}::timestamptz - interval '30 days'
    FROM generate_series(1, ${apps}::int) n`
  yield* sql`INSERT INTO legacy_authorizations (client_id, day, scope, requests, last_at)
    SELECT 'legacy-' || n, (${lastNight}::timestamptz - day * interval '1 day')::date, scope, 1 + n % 97,
      ${lastNight}::timestamptz - day * interval '1 day'
    FROM generate_series(1, ${apps}::int) n, generate_series(0, 9) day,
      unnest(ARRAY['', '*', 'PROFILE_READ']) scope WHERE n % 3 > 0 OR scope <> ''`
  yield* sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
    SELECT gen_random_uuid(), sha256(n::text::bytea), 'legacy-' || (1 + n % ${apps}::int), 'user-' || n, NULL,
      ${lastNight}, ${lastNight}, ${later} FROM generate_series(1, ${apps * 3}::int) n`
  yield* sql`INSERT INTO migration_standings (client_id, verdict, unscoped_requests, unscoped_grants, at, used_at)
    SELECT 'legacy-' || n, CASE WHEN n % 8 = 0 THEN 'migrated' WHEN n % 3 > 0 THEN 'url-without-scope' ELSE 'safe-to-save' END,
      CASE WHEN n % 3 > 0 THEN 10 * (1 + n % 97) ELSE 0 END, 3, ${lastNight},
      CASE WHEN n % 10 = 0 THEN ${at}::timestamptz ELSE ${lastNight}::timestamptz - interval '1 hour' END
    FROM generate_series(1, ${apps}::int) n`
  yield* sql`ANALYZE`
  return token
})
