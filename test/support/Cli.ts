import { Effect } from "effect"
import { spawn } from "node:child_process"

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the real CLI in its own process. Its environment holds `PATH` and `env`, nothing else. */
export const slotkey = (
  args: ReadonlyArray<string>,
  { env = {}, input = "" }: { readonly env?: Record<string, string>; readonly input?: string } = {}
): Effect.Effect<Ran> =>
  Effect.callback<Ran>((resume) => {
    const child = spawn(process.execPath, ["src/cli.ts", ...args], { env: { PATH: process.env["PATH"], ...env } })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk) => stdout += chunk)
    child.stderr.on("data", (chunk) => stderr += chunk)
    child.on("close", (code) => resume(Effect.succeed({ code, stdout, stderr })))
    // Writing fails if the command exits before it has read its input.
    child.stdin.on("error", () => {})
    child.stdin.end(input)
    return Effect.sync(() => child.kill())
  })
