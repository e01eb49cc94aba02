import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import { globSync, mkdirSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }
import { freePort } from "../../test/support/FreePort.ts"
import * as SmallDisk from "../../test/support/SmallDisk.ts"
import * as TcpProxy from "../../test/support/TcpProxy.ts"
import * as TestSmtp from "../../test/support/TestSmtp.ts"
import * as TestWebhook from "../../test/support/TestWebhook.ts"
import * as Cluster from "./Cluster.ts"
import * as ManagedRedis from "./ManagedRedis.ts"
import * as Pooler from "./Pooler.ts"
import * as Program from "./Program.ts"
import * as RedisServer from "./RedisServer.ts"
import * as Sentinels from "./Sentinels.ts"
import * as Standby from "./Standby.ts"
import { shared, type Template } from "./Template.ts"
import * as TwoRoles from "./TwoRoles.ts"

/** A server process and its way to the database. */
export interface Node {
  readonly name: string
  readonly url: string
  /** Operator's port. */
  readonly operatorUrl: string
  readonly process: Program.Program
  readonly database: TcpProxy.TcpProxy
}

/** Everything that a row of the table runs on; it ends with the scope. */
export interface World {
  readonly folder: string
  readonly template: Template
  readonly postgres: Cluster.Cluster
  /** Server that holds the truth: another one after a failover. */
  database: Cluster.Cluster
  /** Standby of the database, in a world that has one. */
  readonly standby: Cluster.Cluster | undefined
  readonly pooler: Pooler.Pooler | undefined
  readonly redis: Program.Program
  /** Same behind one name, in a world that has it so. */
  readonly managed: ManagedRedis.ManagedRedis | undefined
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
  /**
   * A PostgreSQL with a synchronous standby, behind PgBouncer, with another isolation level, or one where the role of
   * servers and worker can make nothing.
   */
  readonly database?: "standby" | "pooler" | "serializable" | "two roles"
  /**
   * A Redis with a replica and watched by sentinels, the same behind one name, one whose user has nothing dangerous, or
   * none: the jobs are in the database.
   */
  readonly redis?: "sentinels" | "managed" | "restricted" | "none"
  /** Seconds by which the clocks of the servers are wrong; the database's is right. */
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
  { clocks = [0, 0], database, env = {}, redis: kind, small }: Options
): Effect.Effect<World, never, Scope.Scope> =>
  Effect.gen(function*() {
    const postgres = yield* cluster(folder, template, small)
    // Usual hardening.
    const user = ["--user", "slotkey", "on", ">secret", "~*", "+@all", "-@dangerous"]
    const redis = yield* RedisServer.make({ name: "redis", folder, args: kind === "restricted" ? user : [] })
    yield* Effect.all([postgres.start, redis.start], { concurrency: 2 })
    const standby = database === "standby" ? yield* Standby.make(folder, postgres) : undefined
    const pooler = database === "pooler" ? yield* Pooler.make(folder, postgres.port) : undefined
    if (pooler !== undefined) yield* pooler.start
    if (database === "two roles") yield* TwoRoles.divide(postgres, checkout)
    if (database === "serializable") {
      yield* postgres.ask(`ALTER DATABASE ${Cluster.role} SET default_transaction_isolation = 'serializable'`)
    }
    const sentinels = kind === "sentinels" ? yield* Sentinels.make(folder, redis) : undefined
    const queues = yield* TcpProxy.make(redis.port)
    const managed = kind === "managed" ? yield* ManagedRedis.make(folder, redis, queues) : undefined
    const redisSettings: Record<string, string> = sentinels !== undefined
      ? {
        REDIS_URL: `redis://${Sentinels.masterName}`,
        REDIS_SENTINELS: sentinels.map((port) => `127.0.0.1:${port}`).join()
      }
      : kind === "none"
      ? {}
      : { REDIS_URL: `redis://${kind === "restricted" ? "slotkey:secret@" : ""}127.0.0.1:${queues.port}` }
    const mail = yield* TestSmtp.make
    const webhook = yield* TestWebhook.make
    const address = (...ports: ReadonlyArray<number>) =>
      `postgres://${Cluster.role}@${ports.map((port) => `127.0.0.1:${port}`).join()}/${Cluster.role}`

    // Migrations and workers reach PostgreSQL itself.
    const behindPooler = (direct: number): Record<string, string> =>
      pooler === undefined ? {} : { DATABASE_POOLER: "transaction", DATABASE_DIRECT_URL: address(direct) }
    // Hosts of one address cannot share a proxy, so a primary and its standby are named as they are.
    const settings = (proxy: TcpProxy.TcpProxy) => ({
      ...shared,
      HOST: "127.0.0.1",
      NODE_ENV: "production",
      // One developer registers for the whole load, from one address.
      ACCOUNT_BUDGET: "1000000",
      ADDRESS_BUDGET: "1000000",
      // The load waits for the mail of each decision.
      REVIEW_UNDO_WINDOW: "0 seconds",
      DATABASE_URL: standby === undefined ? address(proxy.port) : address(postgres.port, standby.port),
      ...(database === "two roles" ? { MIGRATE: "apart" } : {}),
      ...env
    })

    const node = Effect.fnUntraced(function*(name: string, clock: number) {
      const database = yield* TcpProxy.make((pooler ?? postgres).port)
      const port = yield* freePort
      const operatorPort = yield* freePort
      const url = `http://127.0.0.1:${port}`
      const dataDir = join(folder, name)
      mkdirSync(dataDir)
      const process = yield* Program.make({
        name,
        ...node24(packageJson.scripts.start.split(" ").slice(1)),
        env: {
          ...settings(database),
          ...behindPooler(postgres.port),
          ...wrongClock(clock),
          PORT: String(port),
          OPERATOR_PORT: String(operatorPort),
          DATA_DIR: dataDir
        },
        log: join(folder, `${name}.log`),
        ready: answers(`${url}/.well-known/jwks.json`)
      })
      return { name, url, operatorUrl: `http://127.0.0.1:${operatorPort}`, process, database }
    })
    const worker = Effect.gen(function*() {
      const database = yield* TcpProxy.make(postgres.port)
      const port = yield* freePort
      const process = yield* Program.make({
        name: "worker",
        ...node24(["workers/main.ts"]),
        env: {
          ...settings(database),
          ...behindPooler(database.port),
          WORKER_PORT: String(port),
          ...redisSettings,
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
    return {
      folder,
      template,
      postgres,
      standby,
      pooler,
      database: postgres,
      redis,
      managed,
      nodes: [a, b],
      worker: w,
      mail,
      webhook
    }
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
  cwd: checkout
})

const checkout = join(import.meta.dirname, "..", "..")

const answers = (url: string) =>
  Effect.promise(() => fetch(url, { signal: AbortSignal.timeout(2_000) }).then(({ ok }) => ok, () => false))

/** Debian's library, in the folder of the machine's architecture. The loader would ignore a path that leads nowhere. */
const libfaketime = (): string => {
  const [path] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1")
  if (path === undefined) throw new Error("libfaketime is missing: install Debian's package faketime")
  return path
}

// libfaketime moves the wall clock only: timers and time limits go on as they are.
const wrongClock = (seconds: number): Record<string, string> =>
  seconds === 0 ? {} : {
    LD_PRELOAD: libfaketime(),
    FAKETIME: `${seconds > 0 ? "+" : ""}${seconds}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: "1"
  }
