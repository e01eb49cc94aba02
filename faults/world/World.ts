import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }
import { freePort } from "../../test/support/FreePort.ts"
import * as TcpProxy from "../../test/support/TcpProxy.ts"
import * as TestSmtp from "../../test/support/TestSmtp.ts"
import * as TestWebhook from "../../test/support/TestWebhook.ts"
import * as Cluster from "./Cluster.ts"
import * as Program from "./Program.ts"
import * as RedisServer from "./RedisServer.ts"
import * as SmallDisk from "./SmallDisk.ts"
import { shared, type Template } from "./Template.ts"

/** A server process and its way to the database. */
export interface Node {
  readonly name: string
  readonly url: string
  readonly process: Program.Program
  readonly database: TcpProxy.TcpProxy
}

/** Everything that a row of the table runs on; it ends with the scope. */
export interface World {
  readonly folder: string
  readonly template: Template
  readonly postgres: Cluster.Cluster
  /** The server that holds the truth: another one after a failover. */
  database: Cluster.Cluster
  readonly redis: Program.Program
  readonly nodes: readonly [Node, Node]
  readonly worker: {
    readonly process: Program.Program
    readonly database: TcpProxy.TcpProxy
    readonly redis: TcpProxy.TcpProxy
  }
  readonly mail: TestSmtp.TestSmtp
  readonly webhook: TestWebhook.TestWebhook
}

export interface Options {
  /** The seconds by which the clocks of the servers are wrong; the database's is right. */
  readonly clocks?: readonly [number, number]
  /** Puts the tables, or the write-ahead log, on a file system of their own that is small. */
  readonly small?: "tables" | "log"
  /** Settings of servers and worker. */
  readonly env?: Readonly<Record<string, string>>
}

/** Starts a world: PostgreSQL, Redis, two servers and a worker, each behind a proxy of its own. */
export const make = (
  folder: string,
  template: Template,
  { clocks = [0, 0], env = {}, small }: Options
): Effect.Effect<World, never, Scope.Scope> =>
  Effect.gen(function*() {
    const postgres = yield* cluster(folder, template, small)
    const redis = yield* RedisServer.make({ name: "redis", folder })
    yield* Effect.all([postgres.start, redis.start], { concurrency: 2 })
    const mail = yield* TestSmtp.make
    const webhook = yield* TestWebhook.make
    const behind = (database: TcpProxy.TcpProxy) => ({
      ...shared,
      HOST: "127.0.0.1",
      DATABASE_URL: `postgres://${Cluster.role}@127.0.0.1:${database.port}/${Cluster.role}`,
      NODE_ENV: "production",
      ...env
    })

    const node = Effect.fnUntraced(function*(name: string, clock: number) {
      const database = yield* TcpProxy.make(postgres.port)
      const port = yield* freePort
      const url = `http://127.0.0.1:${port}`
      const dataDir = join(folder, name)
      mkdirSync(dataDir)
      const process = yield* Program.make({
        name,
        ...node24(packageJson.scripts.start.split(" ").slice(1)),
        env: { ...behind(database), ...wrongClock(clock), PORT: String(port), DATA_DIR: dataDir },
        log: join(folder, `${name}.log`),
        ready: answers(`${url}/.well-known/jwks.json`)
      })
      return { name, url, process, database }
    })
    const worker = Effect.gen(function*() {
      const database = yield* TcpProxy.make(postgres.port)
      const queues = yield* TcpProxy.make(redis.port)
      const port = yield* freePort
      const process = yield* Program.make({
        name: "worker",
        ...node24(["workers/main.ts"]),
        env: {
          ...behind(database),
          WORKER_PORT: String(port),
          REDIS_URL: `redis://127.0.0.1:${queues.port}`,
          SMTP_URL: mail.url,
          REVIEW_WEBHOOK_URL: webhook.url,
          REVIEW_WEBHOOK_SECRET: "the secret of the webhook",
          JOB_LOCK: "5 seconds"
        },
        log: join(folder, "worker.log"),
        ready: answers(`http://127.0.0.1:${port}/readyz`)
      })
      return { process, database, redis: queues }
    })

    const a = yield* node("a", clocks[0])
    const b = yield* node("b", clocks[1])
    const w = yield* worker
    yield* Effect.all([a.process.start, b.process.start, w.process.start], { concurrency: 3 })
    return { folder, template, postgres, database: postgres, redis, nodes: [a, b], worker: w, mail, webhook }
  })

const cluster = Effect.fnUntraced(function*(folder: string, template: Template, small: Options["small"]) {
  const data = join(folder, "postgres")
  const log = join(folder, "pg_wal")
  if (small === "tables") yield* SmallDisk.mount(data)
  if (small === "log") yield* SmallDisk.mount(log)
  yield* Effect.sync(() => {
    execFileSync("cp", ["-aT", template.data, data])
    if (small === undefined) return
    // PostgreSQL finds its log by a link, as after `initdb --waldir`.
    execFileSync("cp", ["-aT", join(data, "pg_wal"), log])
    rmSync(join(data, "pg_wal"), { recursive: true })
    symlinkSync(log, join(data, "pg_wal"))
  })
  return yield* Cluster.make({ name: "postgres", folder, data })
})

const node24 = (args: ReadonlyArray<string>) => ({
  command: process.execPath,
  args,
  cwd: join(import.meta.dirname, "..", "..")
})

const answers = (url: string) =>
  Effect.promise(() => fetch(url, { signal: AbortSignal.timeout(2_000) }).then(({ ok }) => ok, () => false))

// libfaketime moves the wall clock only: timers and time limits go on as they are.
const wrongClock = (seconds: number): Record<string, string> =>
  seconds === 0 ? {} : {
    LD_PRELOAD: "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
    FAKETIME: `${seconds > 0 ? "+" : ""}${seconds}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: "1"
  }
