import { Effect } from "effect"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SmallDisk from "../../test/support/SmallDisk.ts"
import type { Fault } from "../Fault.ts"
import { role } from "../world/Cluster.ts"
import type { World } from "../world/World.ts"

// PostgreSQL stops, dies, starts, refuses, or has no room.

/** Reads go on, and writes are refused with 25006. */
const readOnly = (world: World, value: "on" | "off") =>
  Effect.andThen(
    world.postgres.ask(`ALTER SYSTEM SET default_transaction_read_only = ${value}`),
    world.postgres.ask("SELECT pg_reload_conf()")
  )

const terminate = (world: World) =>
  world.postgres.ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`)

const ranOutOfSpace = ({ postgres }: World) => /No space left on device/.test(readFileSync(postgres.log, "utf8"))

export const postgres: ReadonlyArray<Fault> = [
  {
    name: "stopped-postgres",
    what: "PostgreSQL is stopped (SIGSTOP) for longer than the grace",
    // A shorter grace than the default lets a short stop outlast it.
    world: { env: { REFRESH_GRACE: "5 seconds" } },
    lasts: [9, 36],
    recovers: { from: "end", clients: 10, notices: 15 },
    inflict: ({ postgres }, seconds) =>
      Effect.acquireUseRelease(
        postgres.signalAll("SIGSTOP"),
        () => Effect.sleep(seconds * 1000),
        () => postgres.signalAll("SIGCONT")
      )
  },
  {
    name: "killed-postgres",
    what: "PostgreSQL is killed (SIGKILL) and starts again",
    lasts: [3, 20],
    recovers: { from: "end", clients: 10, notices: 15 },
    inflict: ({ postgres }, seconds) =>
      Effect.gen(function*() {
        yield* postgres.signalAll("SIGKILL")
        yield* Effect.sleep(seconds * 1000)
        yield* postgres.start
      })
  },
  {
    name: "restarted-postgres",
    what: "PostgreSQL is restarted (fast shutdown)",
    lasts: [1, 5],
    recovers: { from: "end", clients: 10, notices: 15 },
    inflict: ({ postgres }, seconds) =>
      Effect.gen(function*() {
        yield* postgres.end("SIGINT")
        yield* Effect.sleep(seconds * 1000)
        yield* postgres.start
      })
  },
  {
    name: "starting-postgres",
    what: "PostgreSQL is starting (57P03)",
    lasts: [4, 20],
    recovers: { from: "end", clients: 10, notices: 15 },
    // A standby that serves no reads says that it is starting for as long as it is a standby.
    inflict: ({ postgres }, seconds) =>
      Effect.gen(function*() {
        const signal = join(postgres.data, "standby.signal")
        yield* postgres.ask("ALTER SYSTEM SET hot_standby = off")
        yield* postgres.end("SIGINT")
        yield* Effect.sync(() => writeFileSync(signal, ""))
        yield* postgres.launch
        yield* Effect.sleep(seconds * 1000)
        yield* postgres.end("SIGQUIT")
        yield* Effect.sync(() => rmSync(signal))
        yield* postgres.start
      })
  },
  {
    name: "terminated-backends",
    what: "all sessions are terminated (57P01), every half second",
    lasts: [4, 20],
    recovers: { from: "end", clients: 10, notices: 15 },
    inflict: (world, seconds) =>
      Effect.repeat(Effect.andThen(terminate(world), Effect.sleep("500 millis")), { times: seconds * 2 })
  },
  {
    name: "read-only-postgres",
    what: "PostgreSQL is read-only (25006)",
    lasts: [4, 20],
    recovers: { from: "end", clients: 10, notices: 15 },
    inflict: (world, seconds) =>
      Effect.acquireUseRelease(
        readOnly(world, "on"),
        () => Effect.sleep(seconds * 1000),
        () => readOnly(world, "off")
      )
  },
  {
    name: "role-limit",
    what: "the role may have no connection (53300)",
    lasts: [4, 20],
    recovers: { from: "end", clients: 10, notices: 15 },
    inflict: (world, seconds) =>
      Effect.acquireUseRelease(
        Effect.andThen(world.postgres.ask(`ALTER ROLE ${role} CONNECTION LIMIT 0`), terminate(world)),
        () => Effect.sleep(seconds * 1000),
        () => world.postgres.ask(`ALTER ROLE ${role} CONNECTION LIMIT -1`)
      )
  },
  {
    name: "full-disk",
    what: "the disk of PostgreSQL's tables is full (53100)",
    world: { small: "tables" },
    lasts: [6, 20],
    recovers: { from: "end", clients: 10, notices: 15 },
    struck: ranOutOfSpace,
    inflict: ({ postgres }, seconds) =>
      Effect.scoped(Effect.gen(function*() {
        // Without room in the tables' own pages, the next rows need new ones.
        yield* postgres.ask("VACUUM FULL")
        yield* SmallDisk.fill(postgres.data)
        yield* Effect.sleep(seconds * 1000)
      }))
  },
  {
    name: "full-disk-log",
    what: "the disk of PostgreSQL's log is full: it falls and starts again and again",
    world: { small: "log" },
    lasts: [6, 20],
    recovers: { from: "end", clients: 10, notices: 15 },
    struck: ranOutOfSpace,
    inflict: ({ postgres }, seconds) =>
      Effect.gen(function*() {
        yield* Effect.scoped(Effect.gen(function*() {
          yield* SmallDisk.fill(join(postgres.data, "pg_wal"))
          // The log has files that were used before: it goes on with them until there are none.
          const next = Effect.exit(postgres.ask("SELECT pg_switch_wal()"))
          yield* Effect.repeat(Effect.andThen(next, Effect.sleep("500 millis")), { times: seconds * 2 })
        }))
        // It has given up when it could not even finish its recovery.
        yield* postgres.end("SIGQUIT")
        yield* postgres.start
      })
  }
]
