import { Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/** A process of this project. */
export interface NodeProcess {
  /** Ends it as a crash would. */
  readonly kill: Effect.Effect<void>
  /** Sends the signal, and does not wait for what it does. */
  readonly signal: (signal: NodeJS.Signals) => Effect.Effect<void>
  /** Asks it to stop, and returns its exit code and output. */
  readonly stop: Effect.Effect<{ readonly code: number | null; readonly output: string }>
  /** All that it has written so far. */
  readonly output: () => string
}

/** Starts a file of this project with these settings; the process is killed when the scope closes. */
export const start = (
  file: string,
  env: Readonly<Record<string, string>>
): Effect.Effect<NodeProcess, never, Scope.Scope> =>
  Effect.gen(function*() {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, ["--require", fromRoot("src/start.cjs"), fromRoot(file)], {
          env: { PATH: process.env["PATH"], HOST: "127.0.0.1", ...env },
          stdio: ["ignore", "pipe", "pipe"]
        })
      ),
      (child) => Effect.promise(() => end(child, "SIGKILL"))
    )
    let output = ""
    child.stdout.on("data", (chunk: Buffer) => output += chunk)
    child.stderr.on("data", (chunk: Buffer) => output += chunk)
    return {
      kill: Effect.promise(() => end(child, "SIGKILL")),
      signal: (signal) => Effect.sync(() => void child.kill(signal)),
      stop: Effect.promise(async () => {
        await end(child, "SIGTERM")
        return { code: child.exitCode, output }
      }),
      output: () => output
    }
  })

const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, "exit")
  child.kill(signal)
  await gone
}

const fromRoot = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url))
