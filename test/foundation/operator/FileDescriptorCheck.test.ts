import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { connect } from "node:net"
import { eventually } from "../../support/Eventually.ts"
import * as ServerProcess from "../../support/ServerProcess.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

interface Finding {
  readonly status: string
  readonly detail: string
}

describe("The check of the file descriptors", () => {
  if (process.platform !== "linux") return it.skip("skipped: this system is not Linux")

  it.live("warns before the last is taken and when it is, and says what to raise", () =>
    Effect.scoped(Effect.gen(function*() {
      const folder = yield* TestDatabase.temporaryFolder
      const server = yield* ServerProcess.start({ DATA_DIR: folder })
      const limitTo = (limit: number) =>
        Effect.sync(() =>
          assert.strictEqual(spawnSync("prlimit", ["--pid", String(server.pid), `--nofile=${limit}:`]).status, 0)
        )
      // A connection that came when no descriptor was left may never be answered.
      const checks = Effect.promise(async (): Promise<Record<string, Finding>> =>
        (await (await fetch(`${server.operatorUrl}/readyz`, { signal: AbortSignal.timeout(5_000) })).json()).checks
      )
      const check = Effect.map(checks, (checks) => checks["file-descriptors"] ?? assert.fail("there is no such check"))
      // The workers of an embedded server are loaded from many files, after its start.
      yield* eventually(Effect.map(checks, ({ relay }) => relay !== undefined))

      const { detail, status } = yield* check
      assert.strictEqual(status, "ok")
      assert.match(detail, /^\d+ of \d+ file descriptors are in use\.$/)

      // Now nobody can ask the process any more.
      yield* limitTo(8)
      const line = "The check \"file-descriptors\" is degraded: No file descriptor is left: new connections are closed"
      yield* eventually(Effect.sync(() => server.output().includes(line)))
      yield* limitTo(500)
      yield* eventually(Effect.map(Effect.exit(check), (exit) => Exit.isSuccess(exit) && exit.value.status === "ok"))

      // Opens more than nine tenths of them, and makes up for those that close after they were counted.
      const { port } = new URL(server.url)
      const fill = Effect.gen(function*() {
        for (let open = readdirSync(`/proc/${server.pid}/fd`).length; open < 470; open++) {
          yield* Effect.acquireRelease(
            Effect.sync(() => connect(Number(port), "127.0.0.1")),
            (socket) => Effect.sync(() => socket.destroy())
          )
        }
      })
      const near = /^\d+ of \d+ file descriptors are in use, and .* raise LimitNOFILE/
      const isNear = Effect.map(
        Effect.exit(check),
        (exit) => Exit.isSuccess(exit) && exit.value.status === "degraded" && near.test(exit.value.detail)
      )
      yield* eventually(Effect.andThen(fill, isNear))
    })))
})
