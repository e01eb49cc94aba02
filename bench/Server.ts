import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Options } from "./Options.ts"
import * as Processes from "./Processes.ts"
import * as Profile from "./Profile.ts"
import type { System } from "./systems/System.ts"

/** A server process under measurement. */
export interface Server {
  readonly pid: number
  readonly port: number
  readonly address: string
  /** Milliseconds from the start of the process to its first answer. */
  readonly startUp: number
}

/** Starts the system's server, on a free port unless one is given; it lives as long as the scope. */
export const start = Effect.fnUntraced(function*(
  system: System,
  databaseUrl: string,
  options: Options,
  fixedPort?: number
) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "slotkey-bench-server-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const port = fixedPort ?? (yield* Processes.freePort)
  const { args, env } = system.process(databaseUrl, port)
  const profile = options.profile ? Profile.flags(system.name) : []
  const log = join(folder, "log")
  const began = performance.now()
  const child = yield* Processes.start({
    command: process.execPath,
    args: [...profile, ...args],
    env: { NODE_ENV: "production", DATA_DIR: folder, ...env },
    log,
    signal: "SIGTERM"
  })
  yield* Processes.listening(child, port, log)
  const address = `http://127.0.0.1:${port}`
  yield* Effect.promise(() => fetch(address + system.jwks))
  const server: Server = { pid: child.pid ?? 0, port, address, startUp: performance.now() - began }
  return server
})
