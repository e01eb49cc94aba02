import { Effect, Schema, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { openSync, readdirSync, readFileSync } from "node:fs"
import { connect, createServer } from "node:net"

/** A process that a benchmark needs could not be started. */
export class ProcessError extends Schema.TaggedError<ProcessError>()("ProcessError", {
  message: Schema.String
}) {}

/** A child process that ends with the scope, by `signal`; its output goes to `log`. */
export const start = (options: {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
  readonly cwd?: string
  readonly log: string
  readonly signal: NodeJS.Signals
}): Effect.Effect<ChildProcess, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const out = openSync(options.log, "a")
      return spawn(options.command, options.args, {
        stdio: ["ignore", out, out],
        env: { ...process.env, ...options.env },
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        ...options.user
      })
    }),
    (child) =>
      Effect.callback<void>((resume) => {
        if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
        child.once("exit", () => resume(Effect.void))
        child.kill(options.signal)
      })
  )

/** Waits until the process listens on the port. */
export const listening = Effect.fnUntraced(function*(child: ChildProcess, port: number, log: string) {
  for (let tries = 0; tries < 3000; tries++) {
    if (child.exitCode !== null) break
    if (yield* accepts(port)) return
    yield* Effect.sleep("10 millis")
  }
  return yield* new ProcessError({ message: `${child.spawnfile} did not start:\n${readFileSync(log, "utf8")}` })
})

const accepts = (port: number) =>
  Effect.callback<boolean>((resume) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resume(Effect.succeed(true)))
    socket.once("error", () => resume(Effect.succeed(false)))
    return Effect.sync(() => socket.destroy())
  })

export const freePort = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

/** CPU seconds that a process and its children have used so far, those included that have ended. */
export const cpuSeconds = (pid: number): number => {
  const own = statOf(pid)
  if (own === undefined) return 0
  let ticks = own.used + own.reaped
  for (const child of childrenOf(pid).map(statOf)) ticks += (child?.used ?? 0) + (child?.reaped ?? 0)
  return ticks / ticksPerSecond
}

/** Processes that it has started and that live. */
export const childrenOf = (pid: number): ReadonlyArray<number> =>
  readdirSync("/proc").filter((entry) => /^\d+$/.test(entry)).map(Number).filter((child) =>
    statOf(child)?.parent === pid
  )

/** Most memory that a process has held so far (VmHWM of proc(5)), in megabytes. */
export const peakMegabytes = (pid: number): number => memory(pid, "VmHWM")
export const residentMegabytes = (pid: number): number => memory(pid, "VmRSS")

const memory = (pid: number, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

// Linux reports to user space in hundredths of a second on every platform that runs Node.
const ticksPerSecond = 100

const statOf = (pid: number) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name before the last parenthesis may contain anything (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ").map(Number)
    const field = (number: number) => fields[number - 3] ?? 0
    return { parent: field(4), used: field(14) + field(15), reaped: field(16) + field(17) }
  } catch {
    return undefined
  }
}
