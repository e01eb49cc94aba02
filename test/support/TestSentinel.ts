import { Effect } from "effect"
import { Redis } from "ioredis"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "./Eventually.ts"
import { freePort } from "./FreePort.ts"
import { temporaryFolder } from "./TestDatabase.ts"
import { binary } from "./TestRedis.ts"

const password = "of Redis"
const sentinelPassword = "of the Sentinel"

/** A Redis master, its replica and the Sentinel that watches them, each with a password; they end with the scope. */
export const make = Effect.gen(function*() {
  const folder = yield* temporaryFolder
  const [first, second, watch] = yield* Effect.all([freePort, freePort, freePort])
  const processes = new Map<number, ChildProcess>()
  const start = (port: number, lines: ReadonlyArray<string>, ...mode: ReadonlyArray<string>) =>
    Effect.sync(() => {
      const file = join(folder, `${port}.conf`)
      writeFileSync(file, [`port ${port}`, "bind 127.0.0.1", `dir ${folder}`, ...lines].join("\n"))
      processes.set(port, spawn(binary, [file, ...mode], { stdio: "ignore" }))
    })
  yield* Effect.addFinalizer(() => Effect.promise(() => Promise.all([...processes.values()].map(end))))

  const server = [`requirepass "${password}"`, `masterauth "${password}"`, "save \"\"", "repl-diskless-sync-delay 0"]
  yield* start(first, server)
  yield* start(second, [...server, `replicaof 127.0.0.1 ${first}`])
  yield* info(second, "master_link_status:up")
  yield* start(watch, [
    `requirepass "${sentinelPassword}"`,
    `sentinel monitor the-master 127.0.0.1 ${first} 1`,
    `sentinel auth-pass the-master "${password}"`,
    "sentinel down-after-milliseconds the-master 1000",
    "sentinel failover-timeout the-master 5000"
  ], "--sentinel")
  yield* info(first, "connected_slaves:1")

  const kill = (port: number) =>
    Effect.promise(async () => {
      const process = processes.get(port)
      if (process !== undefined) await end(process)
    })
  return {
    env: {
      REDIS_URL: `redis://:${encodeURIComponent(password)}@the-master`,
      // The first does not answer.
      REDIS_SENTINELS: `127.0.0.1:${yield* freePort},127.0.0.1:${watch}`,
      REDIS_SENTINEL_PASSWORD: sentinelPassword
    },
    /** Ends the master as a crash would. */
    killMaster: kill(first),
    /** Waits until the replica is the master. */
    promoted: info(second, "role:master")
  }
})

const info = (port: number, line: string) =>
  eventually(Effect.promise(async () => {
    const client = new Redis({ port, host: "127.0.0.1", password, retryStrategy: () => null })
    client.on("error", () => {})
    try {
      return (await client.info()).includes(line)
    } catch {
      return false
    } finally {
      client.disconnect()
    }
  }))

const end = async (process: ChildProcess): Promise<void> => {
  if (process.exitCode !== null || process.signalCode !== null) return
  const gone = once(process, "exit")
  process.kill("SIGKILL")
  await gone
}
