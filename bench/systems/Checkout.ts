import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ProcessError } from "../Processes.ts"
import { slotkey } from "./Slotkey.ts"
import type { System } from "./System.ts"

/** Last commit of the release before this one. */
const releaseBefore = "eb08b9a"

/** Server of another checkout, started as this one's. */
export const checkout = (folder: string): System => ({
  ...slotkey,
  name: folder,
  process: (url, port) => {
    const { args, env } = slotkey.process(url, port)
    return { env, args: args.map((arg) => arg.endsWith(".ts") ? join(folder, arg) : arg) }
  }
})

/** Sources of the release before this one, with the packages of this one, until the scope closes. */
export const beforeThis = Effect.gen(function*() {
  const root = join(import.meta.dirname, "..", "..")
  if (spawnSync("git", ["-C", root, "cat-file", "-e", `${releaseBefore}^{commit}`]).status !== 0) {
    return yield* new ProcessError({
      message:
        `The release before this one, commit ${releaseBefore}, is not in the history here, as in a shallow clone. ` +
        "Run `git fetch --unshallow`, or name a checkout of it that has its packages with --base."
    })
  }
  return yield* Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "slotkey-bench-before-"))
      const sources = execFileSync("git", ["-C", root, "archive", releaseBefore, "src", "package.json"], {
        maxBuffer: 2 ** 28
      })
      execFileSync("tar", ["-x", "-C", folder], { input: sources })
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
})
