import { Effect } from "effect"
import { readdir, readFile } from "node:fs/promises"
import { degraded, ok, Readiness } from "./Readiness.ts"

/**
 * Check of the file descriptors of this process, of which each connection takes one. When none is left, Node closes new
 * connections without telling the program, so nothing else in the process learns of it. Only Linux says how many there
 * are.
 */
export const FileDescriptorCheck = Readiness.adding(
  Effect.sync(() => process.platform === "linux" ? [{ name: "file-descriptors", probe, otherwise: "degraded" }] : [])
)

// Reads the limit each time, for an operator can raise a running process's (`prlimit`).
const probe = Effect.tryPromise(async () => {
  const limits = await readFile("/proc/self/limits", "utf8")
  const [, limit = Infinity] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
  return { open: (await readdir("/proc/self/fd")).length, limit: Number(limit) }
}).pipe(
  Effect.map(({ limit, open }) =>
    open > limit * plenty
      ? degraded(`${inUse(open, limit)}, and without any new connections are closed.`, remedy)
      : ok(`${inUse(open, limit)}.`)
  ),
  Effect.catch(({ cause }) => isExhausted(cause) ? Effect.succeed(exhausted) : Effect.die(cause))
)

/** Part of the limit up to which there is nothing to warn of. */
const plenty = 0.9

const inUse = (open: number, limit: number) => `${open} of ${limit} file descriptors are in use`

const remedy = "Close what holds connections open, or raise LimitNOFILE (ulimits: nofile of a container)."

const exhausted = degraded("No file descriptor is left: new connections are closed without an answer.", remedy)

// Of this process, or of the whole machine.
const isExhausted = (cause: unknown) =>
  cause instanceof Error && "code" in cause && (cause.code === "EMFILE" || cause.code === "ENFILE")
