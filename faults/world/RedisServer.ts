import { Effect, type Scope } from "effect"
import { Redis } from "ioredis"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../test/support/FreePort.ts"
import * as Program from "./Program.ts"

/** A Redis server of a world. It keeps nothing: what a restart finds is empty. */
export interface RedisServer extends Program.Program {
  readonly port: number
}

export const make = (options: {
  readonly name: string
  readonly folder: string
  readonly args?: ReadonlyArray<string>
}): Effect.Effect<RedisServer, never, Scope.Scope> =>
  Effect.gen(function*() {
    const port = yield* freePort
    const folder = join(options.folder, options.name)
    mkdirSync(folder)
    const program = yield* Program.make({
      name: options.name,
      command: "redis-server",
      args: ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder, ...(options.args ?? [])],
      cwd: folder,
      log: join(options.folder, `${options.name}.log`),
      ready: Effect.promise(() => ping(port))
    })
    return { ...program, port }
  })

/** Sends a command to a Redis of a world, as the user who may do all. */
export const command = (port: number, name: string, ...args: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.promise(async () => {
    const client = new Redis(port, "127.0.0.1", { retryStrategy: () => null })
    client.on("error", () => {})
    try {
      await client.call(name, ...args)
    } finally {
      client.disconnect()
    }
  })

/** Asks whether a Redis, or a sentinel, answers. */
export const ping = async (port: number): Promise<boolean> => {
  const client = new Redis(port, "127.0.0.1", { retryStrategy: () => null, maxRetriesPerRequest: 0, lazyConnect: true })
  client.on("error", () => {})
  try {
    await client.connect()
    return await client.ping() === "PONG"
  } catch {
    return false
  } finally {
    client.disconnect()
  }
}
