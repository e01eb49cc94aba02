import { Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import packageJson from "../../package.json" with { type: "json" }

/** A process of this project. */
export interface NodeProcess {
  readonly pid: number
  /** Ends it as a crash would. */
  readonly kill: Effect.Effect<void>
  /** Sends the signal, and does not wait for what it does. */
  readonly signal: (signal: NodeJS.Signals) => Effect.Effect<void>
  /** Asks it to stop, and returns its exit code and output. */
  readonly stop: Effect.Effect<{ readonly code: number | null; readonly output: string }>
  /** All that it has written so far. */
  readonly output: () => string
}

/** Flags of Node that this project runs a file with, by the scripts of package.json. */
const flagsOf = {
  "src/main.ts": packageJson.scripts.start,
  "workers/main.ts": packageJson.scripts["start:workers"]
}

/** Starts a program of this project, as npm does, with these settings; the process is killed when the scope closes. */
export const start = (
  file: keyof typeof flagsOf,
  env: Readonly<Record<string, string>>
): Effect.Effect<NodeProcess, never, Scope.Scope> =>
  Effect.gen(function*() {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, flagsOf[file].split(" ").slice(1), {
          cwd: root,
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
      pid: child.pid ?? 0,
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

const root = fileURLToPath(new URL("../..", import.meta.url))
