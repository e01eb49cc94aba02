import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileSettingOf, secrets } from "../../src/foundation/config/SecretFiles.ts"
import { names } from "../../src/foundation/config/SettingNames.ts"
import { eventually } from "../support/Eventually.ts"
import { freePort } from "../support/FreePort.ts"
import * as Gateway from "../support/Gateway.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import * as TestRedis from "../support/TestRedis.ts"
import { project, read } from "./Dockerfile.ts"

/** A unit as its lines `Name=value`; most names may come several times. */
const unit = (name: string) => {
  const text = read(`deploy/systemd/${name}.service`)
  const all = (key: string) => [...text.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value = ""]) => value)
  const pairs = (key: string, separator: string) =>
    all(key).map((value) => {
      const at = value.indexOf(separator)
      return [value.slice(0, at), value.slice(at + 1)] as const
    })
  return {
    name,
    text,
    all,
    environment: new Map(pairs("Environment", "=")),
    credentials: new Map(pairs("LoadCredential", ":"))
  }
}

const units = [unit("slotkey"), unit("slotkey-worker")]
const [server, worker] = units
const installed = "/opt/slotkey/node_modules/.bin/slotkey"

describe.each(units)("The unit of systemd $name", ({ all, credentials, environment, text }) => {
  it("has settings that exist, and each secret in a file that systemd hands over", () => {
    const known = new Set([...names, "NODE_COMPILE_CACHE"])
    assert.deepStrictEqual([...environment.keys()].filter((name) => !known.has(name)), [])
    assert.isNotEmpty(credentials)
    for (const [name, path] of credentials) {
      assert.include(secrets, name)
      assert.strictEqual(environment.get(fileSettingOf(name)), `%d/${name}`)
      assert.strictEqual(path, `/etc/slotkey/secrets/${name}`)
    }
    assert.deepStrictEqual([...environment.keys()].filter((name) => secrets.includes(name)), [])
  })

  it("stops within the time that it is given, and starts again however often it fails", () => {
    assert.deepStrictEqual(all("TimeoutStopSec"), ["60s"], "as in docker-compose.yml and kubernetes.yaml")
    assert.deepStrictEqual([all("Restart"), all("StartLimitIntervalSec")], [["always"], ["0"]])
  })

  it.skipIf(!Gateway.isAvailable("systemd-analyze"))(
    "is a unit without a fault, and with few rights",
    () =>
      Effect.runPromise(Effect.scoped(Effect.gen(function*() {
        const folder = yield* temporaryFolder
        const file = join(folder, "slotkey.service")
        // The program must be there.
        writeFileSync(file, text.replace(installed, process.execPath))
        const run = (...words: ReadonlyArray<string>) =>
          execFileSync("systemd-analyze", [...words, file], { stdio: "pipe" })
        assert.strictEqual(run("verify", "--man=no").toString(), "")
        // 10 is a unit that says nothing; the threshold is in tenths.
        run("security", "--offline=yes", "--threshold=20")
      })))
  )
})

describe("The two units of systemd", () => {
  it("differ in what they start, and in nothing about rights and secrets", () => {
    assert.deepStrictEqual([server?.all("ExecStart"), worker?.all("ExecStart")], [[`${installed} serve`], [
      `${installed} work`
    ]])
    const own = /^(?:#|Description|ExecStart|TimeoutStopSec|LimitNOFILE)/
    const lines = (text = "") => text.split("\n").filter((line) => !own.test(line))
    assert.deepStrictEqual(lines(server?.text), lines(worker?.text))
  })
})

const skip = TestPostgres.missing ?? TestRedis.missing

describe.skipIf(skip !== undefined)("The commands of the units, with what systemd would give them:", () => {
  it.live(
    "a server and a worker become ready on files of secrets, write where they may, and end by SIGTERM",
    () =>
      Effect.gen(function*() {
        const { url } = yield* TestPostgres.make
        const redis = yield* TestRedis.make
        const folder = yield* temporaryFolder
        const [port, operator, work] = [yield* freePort, yield* freePort, yield* freePort]
        const own = {
          PORT: port,
          OPERATOR_PORT: operator,
          WORKER_PORT: work,
          BASE_URL: `http://localhost:${port}`,
          DRAIN_DELAY: "0 seconds"
        }
        const values: Readonly<Record<string, string>> = {
          DATABASE_URL: url,
          REDIS_URL: redis.url,
          MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
          SMTP_URL: "smtp://127.0.0.1:1"
        }
        for (const name of ["credentials", "cache", "state"]) mkdirSync(join(folder, name))
        const there = { "%d": join(folder, "credentials"), "%C": join(folder, "cache"), "%S": join(folder, "state") }
        const children = units.map(({ all, credentials, environment }) => {
          for (const name of credentials.keys()) writeFileSync(join(there["%d"], name), `${values[name]}\n`)
          const env = [...environment].map(([name, value]) => [
            name,
            value.replace(/%\w/, (s) => Object(there)[s] ?? s)
          ])
          const [, ...words] = (all("ExecStart")[0] ?? "").split(" ")
          // The checkout's command stands for the package's here, which npm run package starts.
          const program = ["--require=./src/start.cjs", "src/cli.ts", ...words]
          return spawn(process.execPath, program, {
            cwd: project,
            env: { PATH: process.env["PATH"], ...own, ...Object.fromEntries(env) },
            stdio: "ignore"
          })
        })
        const gone = children.map((child) => once(child, "exit"))
        yield* Effect.addFinalizer(() => Effect.sync(() => children.forEach((child) => child.kill("SIGKILL"))))
        const isReady = (port: number) =>
          Gateway.send(port, "/readyz").pipe(
            Effect.map(({ status }) => status === 200),
            Effect.orElseSucceed(() => false)
          )
        yield* eventually(isReady(operator))
        yield* eventually(isReady(work))
        for (const child of children) child.kill("SIGTERM")
        const codes = yield* Effect.promise(() => Promise.all(gone))
        assert.isTrue(codes.every(([code]) => code === 0), String(codes))
        assert.isNotEmpty(readdirSync(join(there["%C"], "slotkey")))
      }),
    120_000
  )
})
