import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"

/**
 * Mounts a small file system in memory on a new folder, until the scope closes. That needs the right to mount: as root,
 * or in a container with CAP_SYS_ADMIN.
 */
export const mount = (folder: string, megabytes = 160): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      mkdirSync(folder)
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "slotkey-small", folder])
    }),
    // Lazily, as a process may still be on its way out.
    () => Effect.sync(() => execFileSync("umount", ["--lazy", folder]))
  )

/** Takes all the room in a folder's file system, until the scope closes. */
export const fill = (folder: string): Effect.Effect<void, never, Scope.Scope> => {
  const ballast = join(folder, "ballast")
  return Effect.acquireRelease(
    Effect.sync(() => {
      const file = openSync(ballast, "w")
      const portion = Buffer.alloc(64 * 1024)
      try {
        while (true) writeSync(file, portion)
      } catch {
        // No space is left.
      } finally {
        closeSync(file)
      }
    }),
    () => Effect.sync(() => rmSync(ballast, { force: true }))
  )
}
