import { Effect, type Scope } from "effect"
import { Redis } from "ioredis"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { redisRules } from "./DocumentedRights.ts"
import { freePort } from "./FreePort.ts"

/** Program of the Redis server, which is a Sentinel, too. */
export const binary = process.env["REDIS_SERVER"] ?? "redis-server"

const hasBinary = (() => {
  try {
    execFileSync(binary, ["--version"])
    return true
  } catch {
    return false
  }
})()

/** The reason why suites on Redis cannot run on this machine, if there is one. */
export const missing: string | undefined = hasBinary ? undefined : `skipped: there is no ${binary} on this machine`

/** A Redis server that a test can start, kill and wipe. */
export interface TestRedis {
  readonly port: number
  /** Address of a user who has the rights that docs/operations/install.md names, and no more. */
  readonly url: string
  readonly start: Effect.Effect<void>
  /** Ends the server as a crash would: its data is lost. */
  readonly kill: Effect.Effect<void>
  /** Runs the effect while the server stands still; connections stay open. */
  readonly stalled: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Has it read commands and answer none, until it is killed. */
  readonly pause: Effect.Effect<void>
  readonly wipe: Effect.Effect<void>
  /** Sends it a command. */
  readonly administer: (command: string, ...args: ReadonlyArray<string>) => Effect.Effect<void>
  /** Changes the user of the address by these rules of its access control list, until the next start. */
  readonly permit: (...rules: ReadonlyArray<string>) => Effect.Effect<void>
  /** Makes it a replica of another one, or a master. */
  readonly follow: (master: Pick<TestRedis, "port"> | "nobody") => Effect.Effect<void>
}

const user = "slotkey"
const password = "of-slotkey"

/** Address at this port. */
export const urlAt = (port: number): string => `redis://${user}:${password}@127.0.0.1:${port}`

export const make: Effect.Effect<TestRedis, never, Scope.Scope> = Effect.gen(function*() {
  const port = yield* freePort
  let server: ChildProcess | undefined
  const start = Effect.promise(async () => {
    const settings = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    // A replica would write the data of its master into the folder of the test.
    settings.push("--repl-diskless-sync-delay", "0", "--repl-diskless-load", "swapdb")
    server = spawn(binary, [...settings, "--user", user, ...redisRules(password)], { stdio: "ignore" })
    await query(port, (client) => client.ping())
  })
  const kill = Effect.promise(async () => {
    if (server === undefined || server.exitCode !== null) return
    const gone = once(server, "exit")
    server.kill("SIGKILL")
    await gone
    server = undefined
  })
  const signal = (name: NodeJS.Signals) => Effect.sync(() => server?.kill(name))
  const stalled = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(signal("SIGSTOP"), () => effect, () => signal("SIGCONT"))
  yield* Effect.acquireRelease(start, () => kill)
  const command = (run: (client: Redis) => Promise<unknown>) => Effect.promise(() => query(port, run))
  const administer = (name: string, ...args: ReadonlyArray<string>) => command((client) => client.call(name, ...args))
  return {
    port,
    url: urlAt(port),
    start,
    kill,
    stalled,
    pause: command((client) => client.client("PAUSE", 600_000)),
    wipe: command((client) => client.flushall()),
    administer,
    permit: (...rules) => administer("ACL", "SETUSER", user, ...rules),
    follow: (master) =>
      administer("REPLICAOF", ...master === "nobody" ? ["NO", "ONE"] : ["127.0.0.1", String(master.port)])
  }
})

/** As the user who may do all. */
const query = async (port: number, command: (client: Redis) => Promise<unknown>): Promise<void> => {
  const client = new Redis(port, "127.0.0.1", { retryStrategy: () => 50, maxRetriesPerRequest: null })
  client.on("error", () => {})
  await command(client)
  client.disconnect()
}
