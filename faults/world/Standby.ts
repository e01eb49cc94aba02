import { Effect, type Scope } from "effect"
import { join } from "node:path"
import * as Cluster from "./Cluster.ts"

/** Starts a standby of a running primary, which from then on answers commits once the standby has written them. */
export const make = (folder: string, primary: Cluster.Cluster): Effect.Effect<Cluster.Cluster, never, Scope.Scope> =>
  Effect.gen(function*() {
    const data = join(folder, "standby")
    yield* Cluster.run(
      "pg_basebackup",
      [...primary.flags, "-D", data, "--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf", "--no-sync"],
      folder
    )
    const standby = yield* Cluster.make({ name: "standby", folder, data })
    yield* standby.start
    yield* primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
    yield* primary.ask("SELECT pg_reload_conf()")
    return standby
  })
