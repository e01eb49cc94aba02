import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Processes from "./Processes.ts"

/**
 * Limits the memory that the process, its children and their page cache may take together, until the scope ends; what
 * is cached now is forgotten. Needs root and the memory controller of Linux control groups, of either version.
 */
export const limit = Effect.fnUntraced(function*(pid: number, gigabytes: number) {
  const isOld = existsSync("/sys/fs/cgroup/memory")
  const root = isOld ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup"
  const group = join(root, "slotkey-bench")
  const move = (to: string) => {
    for (const each of [pid, ...Processes.childrenOf(pid)]) {
      try {
        writeFileSync(join(to, "cgroup.procs"), String(each))
      } catch {
        // It has ended meanwhile.
      }
    }
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => mkdirSync(group, { recursive: true })),
    // A group can be removed when nothing runs in it.
    () =>
      Effect.sync(() => {
        move(root)
        rmdirSync(group)
      })
  )
  yield* Effect.sync(() => {
    writeFileSync(join(group, isOld ? "memory.limit_in_bytes" : "memory.max"), String(gigabytes * 2 ** 30))
    move(group)
    execFileSync("sync")
    writeFileSync("/proc/sys/vm/drop_caches", "3")
  })
})
