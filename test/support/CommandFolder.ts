import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"
import { temporaryFolder } from "./TestDatabase.ts"

/**
 * Folder in which commands of the docs are run as in a project that has installed the package: `slotkey` and
 * `npx slotkey` are this checkout, and `npm start` runs `src/main.ts` of the folder, for which it is the package.
 */
export const commandFolder = Effect.map(temporaryFolder, (folder) => {
  const bin = join(folder, "bin")
  mkdirSync(bin)
  const executable = (name: string, command: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command}\n`, { mode: 0o755 })
  const node = process.execPath
  executable("slotkey", `${node} --require=${root}/src/start.cjs ${root}/src/cli.ts "$@"`)
  executable("npx", `"$@"`)
  const hook = join(bin, "package.mjs")
  writeFileSync(hook, findingSources)
  executable("npm", `${node} --import=${pathToFileURL(hook)} src/main.ts`)
  const given = { HOME: folder, PATH: `${bin}:${process.env["PATH"]}` }
  return {
    folder,
    run: (script: string, env: Env = {}) =>
      spawnSync("sh", ["-c", script], { cwd: folder, env: { ...given, ...env }, encoding: "utf8" }),
    /** Starts commands, which end with the scope, together with whatever they have started; their first line. */
    start: (script: string, env: Env = {}) =>
      Effect.map(
        Effect.acquireRelease(
          Effect.sync(() =>
            spawn("sh", ["-c", script], {
              cwd: folder,
              env: { ...given, ...env },
              detached: true,
              stdio: ["ignore", "pipe", "ignore"]
            })
          ),
          ({ pid = 0 }) => Effect.sync(() => endGroup(pid))
        ),
        ({ stdout }) => {
          const line = once(createInterface({ input: stdout }), "line").then(([text]) => String(text))
          return { line: Effect.promise(() => line) }
        }
      )
  }
})

type Env = Readonly<Record<string, string>>

/** Ends the processes of a group, unless all have ended by themselves. */
const endGroup = (pid: number) => {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // Nothing is left of it.
  }
}

const root = resolve(import.meta.dirname, "../..")

/** Finds the entry points of the package among the sources. */
const findingSources = `import { registerHooks } from "node:module"
registerHooks({
  resolve: (name, context, next) =>
    next(name.startsWith("slotkey/") ? "${pathToFileURL(join(root, "src"))}/" + name.slice(8) + ".ts" : name, context)
})
`
