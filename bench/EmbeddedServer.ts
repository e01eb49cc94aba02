import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Processes from "./Processes.ts"
import { slotkey } from "./systems/Slotkey.ts"

/** A folder that is deleted with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "slotkey-embedded-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Starts an embedded server whose data is in `data` of the folder; `env` holds more settings. */
export const start = Effect.fnUntraced(function*(folder: string, env: Readonly<Record<string, string>> = {}) {
  const port = yield* Processes.freePort
  const operatorPort = yield* Processes.freePort
  const log = join(folder, "log")
  const began = performance.now()
  const child = yield* Processes.start({
    command: process.execPath,
    args: slotkey.process("", port).args,
    env: {
      DATA_DIR: join(folder, "data"),
      HOST: "127.0.0.1",
      PORT: String(port),
      OPERATOR_PORT: String(operatorPort),
      BASE_URL: `http://localhost:${port}`,
      ...env
    },
    log,
    signal: "SIGTERM"
  })
  yield* Processes.listening(child, port, log)
  const address = `http://127.0.0.1:${port}`
  yield* Effect.promise(() => fetch(address + slotkey.jwks))
  const pid = child.pid ?? 0
  return {
    pid,
    port,
    address,
    metrics: `http://127.0.0.1:${operatorPort}/metrics`,
    millis: performance.now() - began,
    cpu: Processes.cpuSeconds(pid),
    memory: Processes.residentMegabytes(pid),
    peak: Processes.peakMegabytes(pid)
  }
})

export type Started = Effect.Success<ReturnType<typeof start>>
