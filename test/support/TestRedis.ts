import { Effect, type Scope } from "effect"
import { Redis } from "ioredis"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"

const binary = process.env["REDIS_SERVER"] ?? "redis-server"

const hasBinary = (() => {
  try {
    execFileSync(binary, ["--version"])
    return true
  } catch {
    return false
  }
})()

/** Why the suites on Redis cannot run here, if so. */
export const missing: string | undefined = hasBinary ? undefined : `skipped: there is no ${binary} on this machine`

/** A Redis server of the test's own, which it may stop, start and wipe. */
export interface TestRedis {
  readonly url: string
  readonly start: Effect.Effect<void>
  /** Ends the server as a crash would; it comes back empty. */
  readonly kill: Effect.Effect<void>
  readonly wipe: Effect.Effect<void>
}

export const make: Effect.Effect<TestRedis, never, Scope.Scope> = Effect.gen(function*() {
  const port = yield* Effect.promise(freePort)
  const url = `redis://127.0.0.1:${port}`
  let server: ChildProcess | undefined
  const start = Effect.promise(async () => {
    server = spawn(binary, ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"], {
      stdio: "ignore"
    })
    await ask(url, (client) => client.ping())
  })
  const kill = Effect.promise(async () => {
    if (server === undefined || server.exitCode !== null) return
    const gone = once(server, "exit")
    server.kill("SIGKILL")
    await gone
    server = undefined
  })
  yield* Effect.acquireRelease(start, () => kill)
  return { url, start, kill, wipe: Effect.promise(() => ask(url, (client) => client.flushall())) }
})

const ask = async (url: string, question: (client: Redis) => Promise<unknown>): Promise<void> => {
  const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null })
  client.on("error", () => {})
  await question(client)
  client.disconnect()
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  if (address === null || typeof address === "string") throw new Error("no port")
  return address.port
}
