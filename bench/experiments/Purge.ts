// @effect-diagnostics strictEffectProvide:off
import { Console, DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Offered, openLoop } from "../load/OpenLoop.ts"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Measure from "../Measure.ts"
import type { Options } from "../Options.ts"
import { clientId, redirectUri, userId } from "../Population.ts"
import * as Postgres from "../Postgres.ts"
import * as Processes from "../Processes.ts"
import * as Server from "../Server.ts"
import { slotkey } from "../systems/Slotkey.ts"

/** Refreshes at a third of the capacity, while the expiry worker deletes many dead rows and while it does not. */
export const purge = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  const population = { clients: options.clients, users: 1000, codes: 20_000 }
  const url = yield* postgres.database("bench")
  yield* slotkey.prepare(url, population)
  const server = yield* Server.start(slotkey, url, options)
  const load = new TokenLoad(population)
  yield* Measure.loop(postgres, [server], load.exchange, { ...options, warmUp: 0, seconds: 600 })
  const { rate: capacity } = yield* Measure.loop(postgres, [server], load.refresh, options)
  yield* Console.log(`capacity: ${Math.round(capacity)} refreshes/s; offered: ${Math.round(capacity / 3)}/s`)

  const window = Effect.promise(() =>
    openLoop({
      port: server.port,
      connections: options.connections,
      rate: capacity / 3,
      goesOn: (_, elapsed) => elapsed < options.seconds * 1000,
      source: load.refresh
    })
  )
  yield* addDeadRows(options.deadRows).pipe(Effect.provide(Postgres.connect(url)))
  yield* Console.log(`${options.deadRows} dead rows`)
  yield* report("without the worker", [yield* window, yield* window])

  const worker = yield* startWorker(url)
  const began = performance.now()
  const during: Array<Offered> = []
  for (let deleted = 0; deleted < options.deadRows;) {
    during.push(yield* window)
    deleted = yield* expiredRows(worker)
    yield* Console.log(`  ${deleted} deleted after ${((performance.now() - began) / 1000).toFixed(0)} s`)
  }
  yield* report("with the worker", during)
  yield* report("afterwards", [yield* window, yield* window])
})

const report = (name: string, windows: ReadonlyArray<Offered>) => {
  const p99 = windows.map(({ servedP99 }) => servedP99).toSorted((a, b) => a - b)
  const median = p99[Math.floor(p99.length / 2)] ?? 0
  const served = windows.reduce((sum, { seconds, served }) => sum + served / seconds, 0) / windows.length
  const failures = windows.flatMap(({ failures }) => [...failures])
  return Console.log(
    `${name}: served ${Math.round(served)}/s, p99 ${median.toFixed(1)} ms (worst window ${p99.at(-1)?.toFixed(1)} ms)` +
      failures.map(([problem, count]) => `\n  ${count} x ${problem}`).join("")
  )
}

/** Codes and grants past their time, half of each. */
const addDeadRows = Effect.fnUntraced(function*(rows: number) {
  const sql = yield* SqlClient.SqlClient
  const past = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, { days: 1 }))
  yield* sql`INSERT INTO codes (digest, client_id, user_id, redirect_uri, created_at, expires_at)
    SELECT sha256(('dead' || n)::bytea), ${clientId(0)}, ${userId(0)}, ${redirectUri}, ${past}, ${past}
    FROM generate_series(1, ${Math.ceil(rows / 2)}::int) n`
  yield* sql`INSERT INTO grants (id, handle_digest, client_id, user_id, rotated_at, created_at, expires_at)
    SELECT gen_random_uuid(), sha256(n::text::bytea), ${clientId(0)}, ${userId(0)}, ${past}, ${past}, ${past}
    FROM generate_series(1, ${Math.floor(rows / 2)}::int) n`
  yield* sql`VACUUM ANALYZE`
  yield* sql`CHECKPOINT`
})

const startWorker = Effect.fnUntraced(function*(url: string) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "slotkey-bench-worker-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const port = yield* Processes.freePort
  const { env } = slotkey.process(url, port)
  const log = join(folder, "log")
  const child = yield* Processes.start({
    command: process.execPath,
    args: ["workers/main.ts"],
    env: { NODE_ENV: "production", DATA_DIR: folder, ...env, WORKER_PORT: String(port) },
    log,
    signal: "SIGTERM"
  })
  yield* Processes.listening(child, port, log)
  return `http://127.0.0.1:${port}`
})

const expiredRows = (worker: string) =>
  Effect.promise(async () => {
    const metrics = await (await fetch(`${worker}/metrics`)).text()
    const lines = metrics.split("\n").filter((line) => line.startsWith("slotkey_expired_rows_total{"))
    return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0)
  })
