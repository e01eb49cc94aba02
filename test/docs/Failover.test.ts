import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile, execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { read } from "../deploy/Dockerfile.ts"
import { eventually } from "../support/Eventually.ts"
import { freePort } from "../support/FreePort.ts"
import * as TestPostgres from "../support/TestPostgres.ts"

const [, section = ""] = /\n## A synchronous standby\n([\s\S]*?)\n### A wait that was cancelled\n/.exec(
  read("docs/failover.md")
) ?? []

/** Blocks of the section with the host that each is for, in their order. */
const blocks = [...section.matchAll(/\n```(sql|sh)\n(?:--|#) on (db[12])\n([\s\S]*?)```/g)]
  .map(([, language, host = "", text = ""]) => ({ language, host, text }))

describe.skipIf(TestPostgres.missing !== undefined)("docs/failover.md", () => {
  it.live(
    "makes a standby that is synchronous after its next start, too, and the old primary one of the new",
    () =>
      Effect.gen(function*() {
        const folder = yield* TestPostgres.serverFolder
        const hosts = new Map([
          ["db1", { port: yield* freePort, data: join(folder, "db1") }],
          ["db2", { port: yield* freePort, data: join(folder, "db2") }]
        ])
        const host = (name: string) => hosts.get(name) ?? assert.fail(name)
        const run = (name: string, script: string) => {
          const { data, port } = host(name)
          const env = {
            PATH: `${TestPostgres.programs}:${process.env["PATH"]}`,
            PGDATA: data,
            // A server without a port in its settings takes this one.
            PGPORT: String(port)
          }
          const here = script
            .replaceAll(/host=(db\d) /g, (_, name: string) => `host=127.0.0.1 port=${host(name).port} `)
            .replaceAll(/ start$/gm, " -l \"$PGDATA.log\" start")
          return Effect.promise(() =>
            promisify(execFile)("sh", ["-ec", here], { cwd: folder, env, ...TestPostgres.user })
          )
        }
        const ask = (name: string, ...statements: ReadonlyArray<string>) =>
          TestPostgres.query(`postgres://postgres@127.0.0.1:${host(name).port}/postgres`, ...statements)
        const standbys = "SELECT application_name || ' | ' || sync_state AS found FROM pg_stat_replication"
        const has = (name: string, found: string) =>
          eventually(Effect.map(ask(name, standbys), (rows) => JSON.stringify(rows) === JSON.stringify([{ found }])))

        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            for (const { data } of hosts.values()) {
              if (!existsSync(join(data, "postmaster.pid"))) continue
              const words = ["-D", data, "-m", "immediate", "stop"]
              execFileSync(join(TestPostgres.programs, "pg_ctl"), words, { stdio: "ignore", ...TestPostgres.user })
            }
          })
        )
        const socket = `echo "unix_socket_directories = '${folder}'" >>"$PGDATA/postgresql.conf"`
        yield* run("db1", `initdb -A trust -U postgres --no-sync >/dev/null\n${socket}\npg_ctl start`)
        assert.deepStrictEqual(blocks.map(({ host }) => host), ["db1", "db2", "db1", "db2", "db2", "db1", "db2"])
        for (const { host: name, language, text } of blocks) {
          if (language === "sh") yield* run(name, text)
          else yield* ask(name, ...text.split(/;(?: *--.*)?\n/).filter((statement) => statement !== ""))
          const [, expected] = /-- (db\d \| sync)$/m.exec(text) ?? []
          if (expected === undefined) continue
          yield* has(name, expected)
          const [standby = ""] = expected.split(" ")
          // As after a restart of its machine: nothing of the first start's command line is there.
          yield* run(standby, "pg_ctl -m fast stop\npg_ctl start")
          yield* has(name, expected)
        }
      }),
    120_000
  )
})
