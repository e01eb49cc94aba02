// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { globSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { slotkey } from "../support/Cli.ts"
import { eventually } from "../support/Eventually.ts"
import * as NodeProcess from "../support/NodeProcess.ts"
import * as ServerProcess from "../support/ServerProcess.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import * as TestRedis from "../support/TestRedis.ts"
import * as WorkerProcess from "../support/WorkerProcess.ts"

const missing = TestPostgres.missing ?? TestRedis.missing

interface Health {
  readonly status: number
  readonly checks: Readonly<Record<string, { readonly status: string; readonly detail: string }>>
}

/** Clock of a process, which is set while it runs: its timers that are due by then fire at once. */
const settableClock = Effect.map(TestDatabase.temporaryFolder, (folder) => {
  const file = join(folder, "clock")
  const ahead = (seconds: number) => Effect.sync(() => writeFileSync(file, `+${seconds}`))
  const env = {
    LD_PRELOAD: globSync("/usr/lib/*/faketime/libfaketimeMT.so.1")[0] ?? assert.fail("libfaketime is missing"),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1"
  }
  return { ahead, env }
})

const ask = (url: string): Effect.Effect<Health> =>
  Effect.promise(async () => {
    const response = await fetch(`${url}/readyz`)
    return { status: response.status, checks: (await response.json() as Health).checks }
  })

/** Waits until a check has the status, and returns the answer; a process that is not there yet is asked again. */
const until = Effect.fnUntraced(function*(url: string, check: string, status: string) {
  let last: Health = { status: 0, checks: {} }
  yield* eventually(
    ask(url).pipe(
      Effect.map((health) => {
        last = health
        return health.checks[check]?.status === status
      }),
      Effect.catchDefect(() => Effect.succeed(false))
    )
  )
  return { status: last.status, detail: last.checks[check]?.detail ?? "" }
})

const masterKey = (byte: number) => Buffer.alloc(32, byte).toString("base64url")

/** A worker whose relay can no longer read its outbox: it is not ready 15 seconds later. */
const withoutOutbox = Effect.fnUntraced(function*(env: Readonly<Record<string, string>>) {
  const worker = yield* WorkerProcess.start(env)
  yield* until(worker.url, "relay", "ok")
  yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`ALTER TABLE outbox RENAME TO outbox_elsewhere`).pipe(
    Effect.provide(TestDatabase.at(env["DATABASE_URL"] ?? ""))
  )
  return worker
})

describe("The health of a server and a worker process", () => {
  if (missing !== undefined) return it.skip(missing)

  it.live(
    "names what was taken away, and takes out of service whom that stops",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const postgres = yield* TestPostgres.make
        const redis = yield* TestRedis.make
        const env = {
          DATABASE_URL: postgres.url,
          REDIS_URL: redis.url,
          MASTER_KEY: masterKey(7)
        }
        const server = yield* ServerProcess.start(env)
        const worker = yield* WorkerProcess.start(env)
        const alive = Effect.promise(async () => (await fetch(`${server.operatorUrl}/healthz`)).status)

        const allWell = Effect.gen(function*() {
          for (
            const [url, names] of [
              [server.operatorUrl, ["database", "keys", "catalogue", "draining", "clock", "jobs", "file-descriptors"]],
              [worker.url, ["database", "keys", "catalogue", "draining", "clock", "jobs", "relay", "file-descriptors"]]
            ] as const
          ) {
            yield* eventually(
              ask(url).pipe(
                Effect.map(({ checks, status }) =>
                  status === 200 && Object.values(checks).every(({ status }) => status === "ok") &&
                  Object.keys(checks).join() === names.join()
                ),
                Effect.catchDefect(() => Effect.succeed(false))
              )
            )
          }
        })
        yield* allWell
        yield* postgres.administer("CREATE DATABASE elsewhere")
        const elsewhere = {
          DATABASE_URL: postgres.url.replace(/postgres$/, "elsewhere"),
          MASTER_KEY: env.MASTER_KEY
        }
        const stuck = yield* withoutOutbox(elsewhere)
        for (const path of ["/healthz", "/readyz", "/metrics"]) {
          const { status } = yield* Effect.promise(() => fetch(`${server.url}${path}`))
          assert.strictEqual(status, 404, `the port of apps shows ${path}`)
        }

        for (const [file, port] of [["src/main.ts", "OPERATOR_PORT"], ["workers/main.ts", "WORKER_PORT"]] as const) {
          const taken = new URL(server.operatorUrl).port
          const second = yield* NodeProcess.start(file, { ...env, PORT: "0", BASE_URL: server.url, [port]: taken })
          const says = `Port ${taken} is in use; choose another one with ${port}`
          yield* eventually(Effect.sync(() => second.output().includes(says)))
        }

        const shifted = Effect.gen(function*() {
          const clock = yield* settableClock
          yield* clock.ahead(7)
          const { operatorUrl } = yield* ServerProcess.start({ ...elsewhere, ...clock.env })
          const wrong = yield* until(operatorUrl, "clock", "degraded")
          assert.strictEqual(wrong.status, 200)
          assert.match(wrong.detail, /7 s ahead of the database's/)

          const rotation = yield* slotkey(["keys", "rotate"], {
            env: { ...elsewhere, MASTER_KEY: masterKey(8), MASTER_KEY_PREVIOUS: masterKey(7) }
          })
          assert.strictEqual(rotation.code, 0, rotation.stderr)
          // Keys are read again once a minute.
          yield* clock.ahead(7 + 60)
          const keys = yield* until(operatorUrl, "keys", "failed")
          assert.strictEqual(keys.status, 503)
          assert.include(keys.detail, "3 of the server's keys cannot be unsealed. Check MASTER_KEY")
        })
        yield* Effect.scoped(shifted)

        yield* redis.stalled(Effect.gen(function*() {
          assert.strictEqual((yield* until(server.operatorUrl, "jobs", "degraded")).status, 200)
          assert.strictEqual((yield* until(worker.url, "jobs", "failed")).status, 503)
        }))
        yield* allWell

        yield* redis.permit("resetpass", ">another")
        assert.strictEqual((yield* until(server.operatorUrl, "jobs", "degraded")).status, 200)
        const refused = yield* until(worker.url, "jobs", "failed")
        assert.strictEqual(refused.status, 503)
        assert.match(refused.detail, /WRONGPASS.*Check the user and the password in REDIS_URL\.$/)

        yield* redis.kill
        const isAway = ({ checks: { jobs }, status }: Health) =>
          status === 200 && jobs?.detail.includes("ECONNREFUSED") === true
        yield* eventually(Effect.map(ask(server.operatorUrl), isAway))
        assert.strictEqual((yield* until(worker.url, "jobs", "failed")).status, 503)
        const metrics = yield* Effect.promise(async () => (await fetch(`${server.operatorUrl}/metrics`)).text())
        assert.include(metrics, `slotkey_check{check="jobs",status="degraded"} 1`)
        assert.include(server.output(), `The check \\"jobs\\" is degraded`)
        yield* redis.start
        yield* allWell

        const relay = yield* until(stuck.url, "relay", "failed")
        assert.strictEqual(relay.status, 503)
        assert.match(relay.detail, /^The relay has not looked for jobs for \d+ s\.$/)
        assert.strictEqual((yield* ask(stuck.url)).checks["database"]?.status, "ok")

        yield* postgres.stalled(Effect.gen(function*() {
          for (const url of [server.operatorUrl, worker.url]) {
            assert.strictEqual((yield* until(url, "database", "failed")).status, 503)
          }
          assert.strictEqual(yield* alive, 200)
        }))
        yield* allWell

        yield* postgres.kill
        for (const url of [server.operatorUrl, worker.url]) {
          const { detail, status } = yield* until(url, "database", "failed")
          assert.strictEqual(status, 503)
          assert.include(detail, "The database cannot be reached.")
        }
        assert.strictEqual(yield* alive, 200)

        yield* postgres.startStandby("read-only")
        for (const url of [server.operatorUrl, worker.url]) {
          assert.strictEqual((yield* until(url, "database", "degraded")).status, 200)
        }
        yield* postgres.kill
        yield* postgres.start
        yield* allWell
      })),
    240_000
  )
})
