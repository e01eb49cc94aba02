import { Effect, type Scope } from "effect"
import type { TcpProxy } from "../../test/support/TcpProxy.ts"
import * as RedisServer from "./RedisServer.ts"

/** A Redis as a cloud gives it: two servers behind one name, and nobody to ask which of them is the master. */
export interface ManagedRedis {
  /** The replica becomes the master, and the master a replica that lives on. The name leads to it as before. */
  readonly swap: Effect.Effect<void>
  /** The name leads to the new master, for connections that are opened from now on. */
  readonly rename: Effect.Effect<void>
}

/** Starts a replica of a running Redis, for which the proxy is the name. */
export const make = (
  folder: string,
  master: RedisServer.RedisServer,
  name: TcpProxy
): Effect.Effect<ManagedRedis, never, Scope.Scope> =>
  Effect.gen(function*() {
    const args = ["--replicaof", `127.0.0.1 ${master.port}`, "--repl-diskless-load", "swapdb"]
    const replica = yield* RedisServer.make({ name: "replica", folder, args })
    yield* replica.start
    return {
      swap: Effect.andThen(
        RedisServer.command(replica.port, "REPLICAOF", "NO", "ONE"),
        RedisServer.command(master.port, "REPLICAOF", "127.0.0.1", String(replica.port))
      ),
      rename: name.lead(replica.port)
    }
  })
