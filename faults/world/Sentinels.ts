import { Effect, type Scope } from "effect"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../test/support/FreePort.ts"
import * as Program from "./Program.ts"
import * as RedisServer from "./RedisServer.ts"

/** Name under which the sentinels know the Redis of a world. */
export const masterName = "slotkey"

/** Starts a replica of a running Redis and three sentinels that watch both; answers the ports of the sentinels. */
export const make = (
  folder: string,
  redis: RedisServer.RedisServer
): Effect.Effect<ReadonlyArray<number>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const replica = yield* RedisServer.make({
      name: "replica",
      folder,
      args: ["--replicaof", `127.0.0.1 ${redis.port}`]
    })
    yield* replica.start
    return yield* Effect.forEach([1, 2, 3], (n) => sentinel(join(folder, `sentinel-${n}`), redis.port), {
      concurrency: 3
    })
  })

const sentinel = (folder: string, master: number) =>
  Effect.gen(function*() {
    const port = yield* freePort
    const config = join(folder, "sentinel.conf")
    yield* Effect.sync(() => {
      mkdirSync(folder)
      writeFileSync(
        config,
        [
          `port ${port}`,
          "bind 127.0.0.1",
          `dir ${folder}`,
          `sentinel monitor ${masterName} 127.0.0.1 ${master} 2`,
          `sentinel down-after-milliseconds ${masterName} 1000`,
          `sentinel failover-timeout ${masterName} 5000`
        ].join("\n")
      )
      chmodSync(config, 0o666)
    })
    const program = yield* Program.make({
      name: "sentinel",
      command: "redis-sentinel",
      args: [config],
      cwd: folder,
      log: join(folder, "log"),
      ready: Effect.promise(() => RedisServer.ping(port))
    })
    yield* program.start
    return port
  })
