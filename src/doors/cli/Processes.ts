import { Effect } from "effect"
import { Command } from "effect/cli"
import { fileURLToPath } from "node:url"
import packageJson from "../../../package.json" with { type: "json" }

/**
 * Becomes the process that the script of package.json starts, with the same id: signals reach it, and its exit code is
 * this command's. The folder stays, so that a relative `DATA_DIR` means the same as for all commands.
 */
const become = (script: string) =>
  Effect.sync(() => {
    if (process.execve === undefined) throw new Error("This system cannot replace a process: use npm start")
    const args = script.split(" ").slice(1).map((arg) => arg.replace(ownFile, (file) => fileURLToPath(urlOf(file))))
    process.execve(process.execPath, [process.execPath, ...args], process.env)
  })

const ownFile = /(?:\.\/)?(?:src|workers)\/\S+$/

// In the package all files stand beside this one, compiled.
const urlOf = (file: string) =>
  import.meta.filename.endsWith(".ts")
    ? new URL(`../../../${file}`, import.meta.url)
    : new URL(file.replace(/^(\.\/)?src\//, "./").replace(/\.ts$/, ".js"), import.meta.url)

/** `slotkey serve` */
export const serve = Command.make("serve", {}, () => become(packageJson.scripts.start)).pipe(
  Command.withDescription("Start the server; without DATABASE_URL it does the jobs, too"),
  Command.withExamples([
    { command: "slotkey serve", description: "Try it on this machine: the database and all else are in ./data" }
  ])
)

/** `slotkey work` */
export const work = Command.make("work", {}, () => become(packageJson.scripts["start:workers"])).pipe(
  Command.withDescription("Start a worker process"),
  Command.withExamples([{
    command: "slotkey work",
    description: "Do the jobs of the servers on the same DATABASE_URL"
  }])
)
