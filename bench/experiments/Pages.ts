// @effect-diagnostics strictEffectProvide:off
import { Console, DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Agent, get } from "node:http"
import { promisify } from "node:util"
import { unzip } from "node:zlib"
import * as Credential from "../../src/domain/Credential.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import type { Options } from "../Options.ts"
import type { Postgres } from "../Postgres.ts"
import * as Processes from "../Processes.ts"
import { median } from "../Report.ts"
import * as Server from "../Server.ts"
import { slotkey } from "../systems/Slotkey.ts"

/**
 * How long pages take that show much: a review queue of 10,000 apps, a user with 1,000 connected apps, and an app with
 * a million users. One request at a time, so its time is the server's the database's and the connection's.
 */
export const pages = Effect.fnUntraced(function*(postgres: Postgres, options: Options) {
  const quick = options.seconds === 1
  const sizes = quick ? { apps: 1_000, connections: 100, users: 20_000 } : largeSizes
  const place = yield* postgres.database("bench")
  const settings = { REQUEST_TIMEOUT: "5 minutes", ...slotkey.process(place, 0).env }
  const people = yield* fill(sizes).pipe(
    Effect.provide(Database.layer.pipe(Layer.provide(AppConfig.layerTest(settings))))
  )
  const server = yield* Server.start(slotkey, place, options)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  yield* Effect.addFinalizer(() => Effect.sync(() => agent.destroy()))
  yield* Console.log(
    `\n${sizes.apps} apps in review, ${sizes.connections} connected apps of a user, ${sizes.users} users of an app; ` +
      "milliseconds of a request, median and longest of 20, and of these the processor's; as sent and unpacked"
  )

  const shown = [
    ["sign-in", "", "/sign-in", "Sign in"],
    ["consent, of a user with no app", people.newcomer, authorize, "BOOKING_READ"],
    ["consent, of the user with many", people.collector, authorize, "BOOKING_READ"],
    ["connected apps", people.collector, "/connections", "App "],
    ["one connected app, to disconnect", people.collector, "/connections/disconnect?client_id=big", "Big App"],
    ["review queue", people.reviewer, "/review", "App 1"],
    ["review queue, a page in the middle", people.reviewer, `/review?page=${sizes.apps / 50}`, "App "],
    ["review queue, all apps", people.reviewer, "/review?state=all", "App "],
    ["review queue, search for a name", people.reviewer, "/review?search=App+77", "App 77"],
    ["review queue, search for what no app has", people.reviewer, "/review?search=nothing-of-it", "Review"],
    ["one app in review", people.reviewer, "/review/queued-1", "App 1"],
    ["the app with many users, in review", people.reviewer, "/review/big", "Big App"],
    ["apps of the owner", people.owner, "/settings/apps", "Big App"],
    ["app page of the app with many users", people.owner, "/settings/apps/big", "Big App"]
  ] as const
  for (const [name, session, path, text] of shown) {
    const ask = Effect.promise(() => request(agent, server.port, path, session))
    const answer = yield* ask
    if (answer.status !== 200 || !answer.text.includes(text)) {
      return yield* new Processes.ProcessError({ message: `${path}: ${answer.status} ${answer.text.slice(0, 300)}` })
    }
    yield* Effect.repeat(ask, { times: 20 })
    const [busy, asleep] = [Processes.cpuSeconds(server.pid), Processes.cpuSeconds(postgres.pid)]
    const times: Array<number> = []
    for (let time = 0; time < 20; time++) times.push((yield* ask).milliseconds)
    const cpu = (before: number, pid: number) => ((Processes.cpuSeconds(pid) - before) * 1_000 / 20).toFixed(0)
    yield* Console.log(
      `| ${name} | ${median(times).toFixed(0)} | ${Math.max(...times).toFixed(0)} | server ${cpu(busy, server.pid)}, ` +
        `database ${cpu(asleep, postgres.pid)} | ${answer.encoding} ${(answer.sent / 1e3).toFixed(0)} kB of ` +
        `${(answer.text.length / 1e3).toFixed(0)} |`
    )
  }
}, Effect.scoped)

const largeSizes = { apps: 10_000, connections: 1_000, users: 1_000_000 }

const redirectUri = "https://app.example/callback"
const authorize = `/auth/oauth2/authorize?${new URLSearchParams({
  response_type: "code",
  client_id: "asking",
  redirect_uri: redirectUri,
  scope: "BOOKING_READ",
  state: "a state",
  code_challenge: "a".repeat(43),
  code_challenge_method: "S256"
})}`

const unpack = promisify<Buffer, Buffer>(unzip)

const request = async (agent: Agent, port: number, path: string, session: string) => {
  const began = performance.now()
  const headers = {
    "accept-encoding": "gzip",
    "sec-fetch-site": "same-origin",
    ...(session === "" ? {} : { cookie: `__Host-slotkey=${session}` })
  }
  const { body, encoding, status } = await new Promise<{ body: Buffer; encoding: string; status: number }>(
    (resolve, reject) =>
      get({ agent, port, host: "127.0.0.1", path, headers, timeout: 60_000 }, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("end", () =>
          resolve({
            body: Buffer.concat(chunks),
            encoding: response.headers["content-encoding"] ?? "not packed",
            status: response.statusCode ?? 0
          }))
      }).on("error", reject)
  )
  const milliseconds = performance.now() - began
  const text = String(encoding === "gzip" ? await unpack(body) : body)
  return { text, milliseconds, status, encoding, sent: body.length }
}

/** Answers a session of each user that asks. */
const fill = Effect.fnUntraced(function*({ apps, connections, users }: typeof largeSizes) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const [at, later] = [DateTime.toDateUtc(now), DateTime.toDateUtc(DateTime.add(now, { days: 300 }))]
  yield* sql`INSERT INTO accounts (id, email, username, name, role, created_at)
    SELECT id, id || '@bench.example', id, 'User ' || id, CASE WHEN id = 'reviewer' THEN 'admin' ELSE 'user' END, ${at}
    FROM (SELECT unnest(ARRAY['owner', 'reviewer', 'collector', 'newcomer'])
      UNION ALL SELECT 'owner-' || n FROM generate_series(0, 999) n) AS people (id)`
  const insertClients = (clients: string, status: string) =>
    sql.unsafe(
      `INSERT INTO clients (id, owner_id, kind, status, name, purpose, website, redirect_uris, scopes, submitted_at,
          created_at, updated_at)
        SELECT id, owner_id, 'confidential', $2, name, 'To be measured', 'https://app.example', ARRAY['${redirectUri}'],
          ARRAY['BOOKING_READ', 'PROFILE_READ'], $1::timestamptz + n * interval '1 millisecond', $1, $1
        FROM (${clients}) AS made (n, id, owner_id, name)`,
      [at, status]
    )
  yield* insertClients("VALUES (0, 'big', 'owner', 'Big App'), (1, 'asking', 'owner', 'Asking App')", "approved")
  yield* insertClients(
    `SELECT n, 'queued-' || n, 'owner-' || n % 1000, 'App ' || n FROM generate_series(1, ${apps}) n`,
    "pending"
  )
  yield* insertClients(
    `SELECT n, 'connected-' || n, 'owner-' || n % 1000, 'Connected App ' || n FROM generate_series(1, ${connections}) n`,
    "approved"
  )
  const insertGrants = (grants: string) =>
    sql.unsafe(
      `INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
        SELECT gen_random_uuid(), sha256(user_id::bytea || client_id::bytea), client_id, user_id, ARRAY['PROFILE_READ'], $1,
          $1, $2 FROM (${grants}) AS made (client_id, user_id)`,
      [at, later]
    )
  yield* insertGrants(`SELECT 'connected-' || n, 'collector' FROM generate_series(1, ${connections - 1}) n
    UNION ALL SELECT 'big', 'collector'`)
  yield* insertGrants(`SELECT 'big', 'user-' || n FROM generate_series(1, ${users}) n`)
  yield* sql`VACUUM ANALYZE`
  const session = Effect.fnUntraced(function*(userId: string) {
    const token = Redacted.value(yield* Credential.make("session"))
    yield* sql`INSERT INTO sessions ${
      sql.insert({ digest: Credential.digest(token), userId, createdAt: at, lastSeenAt: at, expiresAt: later })
    }`
    return token
  })
  return {
    owner: yield* session("owner"),
    reviewer: yield* session("reviewer"),
    collector: yield* session("collector"),
    newcomer: yield* session("newcomer")
  }
})
