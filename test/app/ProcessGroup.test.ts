import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { Agent, get } from "node:http"
import { eventually } from "../support/Eventually.ts"
import * as NodeProcess from "../support/NodeProcess.ts"
import * as ServerProcess from "../support/ServerProcess.ts"
import * as TestPostgres from "../support/TestPostgres.ts"

const settings = (url: string) => ({
  DATABASE_URL: url,
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64url"),
  SERVER_PROCESSES: "2"
})

const text = (url: string) => Effect.promise(() => fetch(url).then((answer) => answer.text()))

const serve = (operatorUrl: string, count: number) =>
  eventually(Effect.map(text(`${operatorUrl}/readyz`), (report) => report.includes(`${count} of 2 server processes`)))

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number)

/** Asks again and again over one connection at a time, until the port is closed; answers what else went wrong. */
const keepAsking = async (url: string): Promise<ReadonlyArray<string>> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const problems: Array<string> = []
  for (let isOpen = true; isOpen;) {
    await new Promise<void>((resolve) => {
      get(`${url}/.well-known/jwks.json`, { agent }, (answer) => {
        if (answer.statusCode !== 200) problems.push(String(answer.statusCode))
        answer.resume().on("end", resolve)
      }).on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ECONNREFUSED") isOpen = false
        else problems.push(String(error.code))
        resolve()
      })
    })
  }
  agent.destroy()
  return problems
}

/** Metrics of all processes: one that is so busy that it does not answer in time is left out. */
const wholeMetrics = (operatorUrl: string) =>
  Effect.repeat(text(`${operatorUrl}/metrics`), {
    schedule: Schedule.spaced("20 millis"),
    until: (metrics) => [1, 2].every((number) => metrics.includes(`process_cpu_seconds_total{process="${number}"}`))
  })

/** Processes whose metrics count a request for the public keys. */
const askedProcesses = (metrics: string) =>
  [...metrics.matchAll(/^http_server_request_duration_seconds_count\{process="(\w+)",.*jwks.*\} [1-9]/gm)]
    .map(([, process]) => process)

const startOf = (metrics: string, process: string) =>
  Number(new RegExp(`^process_start_time_seconds\\{process="${process}"\\} (\\S+)$`, "m").exec(metrics)?.[1] ?? 0)

describe.skipIf(TestPostgres.missing !== undefined)("A server of two processes", () => {
  it.live(
    "shows as one, serves with both, replaces one that is killed, and stops as one without losing a request",
    () =>
      Effect.gen(function*() {
        const { url: database } = yield* TestPostgres.make
        const { operatorUrl, output, pid, signal, stop, url } = yield* ServerProcess.start({
          ...settings(database),
          DRAIN_DELAY: "5 seconds"
        })
        yield* serve(operatorUrl, 2)
        assert.notInclude(output(), "of 2 server processes serve", "a start is nothing to warn of")
        for (let i = 0; i < 4; i++) yield* Effect.promise(() => fetch(url + "/.well-known/jwks.json", noReuse))
        const metrics = yield* wholeMetrics(operatorUrl)
        assert.deepStrictEqual(askedProcesses(metrics), ["1", "2"])
        assert.deepStrictEqual(
          [...metrics.matchAll(/^process_cpu_seconds_total\{process="(\w+)"\}/gm)].map(([, process]) => process),
          ["primary", "1", "2"]
        )
        assert.strictEqual(metrics.match(/^# TYPE process_cpu_seconds_total /gm)?.length, 1)
        const ready = /"status":"ok".*"database".*"keys".*"processes"/
        yield* eventually(Effect.map(text(`${operatorUrl}/readyz`), (report) => ready.test(report)))

        const [killed = 0] = childrenOf(pid)
        process.kill(killed, "SIGKILL")
        yield* eventually(
          Effect.sync(() => /Server process 1 was ended by SIGKILL; another one is started/.test(output()))
        )
        for (let i = 0; i < 4; i++) {
          assert.strictEqual((yield* Effect.promise(() => fetch(url + "/.well-known/jwks.json", noReuse))).status, 200)
        }
        // The one in its place has started later, and its metrics are there once it serves.
        const start = startOf(metrics, "1")
        yield* eventually(Effect.map(text(`${operatorUrl}/metrics`), (metrics) => startOf(metrics, "1") > start))

        const asking = yield* Effect.forEach(
          Array.from({ length: 8 }),
          () => Effect.forkChild(Effect.promise(() => keepAsking(url)))
        )
        // To all at once, as systemd and a terminal send it.
        for (const child of childrenOf(pid)) process.kill(child, "SIGTERM")
        yield* signal("SIGTERM")
        yield* eventually(Effect.promise(() => fetch(`${operatorUrl}/readyz`).then(({ status }) => status === 503)))
        assert.deepStrictEqual((yield* Effect.forEach(asking, Fiber.join)).flat(), [])
        assert.strictEqual((yield* stop).code, 0)
        assert.strictEqual(output().match(/The server stops, and listens for 5000 ms more/g)?.length, 2)
      }),
    300_000
  )

  it.live("gives up, and says so, when none of its processes can be started any more", () =>
    Effect.gen(function*() {
      const { kill, url: database } = yield* TestPostgres.make
      const { operatorUrl, output, pid, stop } = yield* ServerProcess.start(settings(database))
      yield* serve(operatorUrl, 2)
      yield* kill
      for (const child of childrenOf(pid)) process.kill(child, "SIGKILL")
      yield* eventually(Effect.sync(() => !existsSync(`/proc/${pid}`)))
      assert.include(output(), "The server's processes do not start: one ended with code 1")
      // A supervisor starts a server again that has failed.
      assert.strictEqual((yield* stop).code, 1)
      assert.include(output(), "another one is started in 1600 ms")
    }), 300_000)

  it.live("says once why it cannot start, and ends", () =>
    Effect.gen(function*() {
      const { output } = yield* NodeProcess.start("src/main.ts", {
        ...settings("postgres://postgres@127.0.0.1:1/postgres"),
        BASE_URL: "https://slotkey.test",
        OPERATOR_PORT: "0",
        PORT: "0"
      })
      yield* eventually(Effect.sync(() => output().includes("The server's processes do not start")))
      assert.strictEqual(output().match(/The database cannot be reached/g)?.length, 1)
      assert.include(output(), "one ended with code 1")
    }), 300_000)
})

const noReuse = { headers: { connection: "close" } }
