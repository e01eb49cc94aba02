import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { globSync } from "node:fs"
import { eventually } from "../support/Eventually.ts"
import * as NodeProcess from "../support/NodeProcess.ts"
import * as ServerProcess from "../support/ServerProcess.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import * as TestRedis from "../support/TestRedis.ts"
import * as WorkerProcess from "../support/WorkerProcess.ts"

const missing = TestPostgres.missing ?? TestRedis.missing

interface Health {
  readonly status: number
  readonly checks: Readonly<Record<string, { readonly status: string; readonly detail: string }>>
}

/** The environment of a process whose clock is ahead; its timers go on as they are. */
const clockAhead = (seconds: number) => ({
  LD_PRELOAD: globSync("/usr/lib/*/faketime/libfaketimeMT.so.1")[0] ?? assert.fail("libfaketime is missing"),
  FAKETIME: `+${seconds}s`,
  FAKETIME_DONT_FAKE_MONOTONIC: "1"
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
          MASTER_KEY: Buffer.alloc(32, 7).toString("base64url")
        }
        const server = yield* ServerProcess.start(env)
        const worker = yield* WorkerProcess.start(env)
        const alive = Effect.promise(async () => (await fetch(`${server.operatorUrl}/healthz`)).status)

        const allWell = Effect.gen(function*() {
          for (
            const [url, names] of [
              [server.operatorUrl, ["database", "keys", "draining", "clock", "jobs"]],
              [worker.url, ["database", "keys", "draining", "clock", "jobs", "relay"]]
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
          const { operatorUrl } = yield* ServerProcess.start({ ...env, ...clockAhead(7) })
          const clock = yield* until(operatorUrl, "clock", "degraded")
          assert.strictEqual(clock.status, 200)
          assert.match(clock.detail, /7 s ahead of the database's/)
        })
        yield* Effect.scoped(shifted)

        yield* redis.stalled(Effect.gen(function*() {
          assert.strictEqual((yield* until(server.operatorUrl, "jobs", "degraded")).status, 200)
          assert.strictEqual((yield* until(worker.url, "jobs", "failed")).status, 503)
        }))
        yield* allWell

        yield* redis.kill
        const withoutRedis = yield* until(server.operatorUrl, "jobs", "degraded")
        assert.strictEqual(withoutRedis.status, 200)
        assert.include(withoutRedis.detail, "ECONNREFUSED")
        assert.strictEqual((yield* until(worker.url, "jobs", "failed")).status, 503)
        const metrics = yield* Effect.promise(async () => (await fetch(`${server.operatorUrl}/metrics`)).text())
        assert.include(metrics, `slotkey_check{check="jobs",status="degraded"} 1`)
        assert.include(server.output(), `The check \\"jobs\\" is degraded`)
        yield* redis.start
        yield* allWell

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
