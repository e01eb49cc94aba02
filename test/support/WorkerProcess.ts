import { Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { freePort } from "./FreePort.ts"

const main = fileURLToPath(new URL("../../workers/main.ts", import.meta.url))

/** A running worker process. */
export interface WorkerProcess {
  readonly url: string
  /** Ends it as a crash would. */
  readonly kill: Effect.Effect<void>
  /** Asks it to stop, and returns its exit code and output. */
  readonly stop: Effect.Effect<{ readonly code: number | null; readonly output: string }>
}

/** Starts a worker process with these settings; it is killed when the scope closes. */
export const start = (env: Readonly<Record<string, string>>): Effect.Effect<WorkerProcess, never, Scope.Scope> =>
  Effect.gen(function*() {
    const port = yield* freePort
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [main], {
          env: { PATH: process.env["PATH"], HOST: "127.0.0.1", ...env, WORKER_PORT: String(port) },
          stdio: ["ignore", "pipe", "pipe"]
        })
      ),
      (child) => Effect.promise(() => end(child, "SIGKILL"))
    )
    let output = ""
    child.stdout.on("data", (chunk: Buffer) => output += chunk)
    child.stderr.on("data", (chunk: Buffer) => output += chunk)
    return {
      url: `http://127.0.0.1:${port}`,
      kill: Effect.promise(() => end(child, "SIGKILL")),
      stop: Effect.promise(async () => {
        await end(child, "SIGTERM")
        return { code: child.exitCode, output }
      })
    }
  })

const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, "exit")
  child.kill(signal)
  await gone
}
