import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { faults } from "./Faults.ts"
import * as Options from "./Options.ts"
import * as Report from "./Report.ts"
import { isRed, type Row, run } from "./Run.ts"
import * as Template from "./world/Template.ts"

const main = Effect.gen(function*() {
  const options = Options.read()
  const chosen = faults.filter(({ isLeftOut = false, name }) =>
    options.only.length === 0 ? options.full || !isLeftOut : options.only.some((part) => name.includes(part))
  )
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "slotkey-faults-"))
      // PostgreSQL runs as another user where this runs as root.
      chmodSync(folder, 0o777)
      return folder
    }),
    (folder) => Effect.sync(() => options.keep ? undefined : rmSync(folder, { recursive: true, force: true }))
  )
  if (options.keep) yield* Console.log(`The logs are in ${folder}.`)
  const template = yield* Template.make(folder)
  const tell = (row: Row) => Console.log(Report.details(row))
  const together = yield* Effect.forEach(
    chosen,
    (fault) => Effect.tap(run(fault, template, join(folder, fault.name), options), tell),
    { concurrency: options.jobs }
  )
  // Beside other rows each waits for the processors, too. One that was slow there shows alone whether it is.
  const isSlow = (row: Row) => options.jobs > 1 && row.problems.length === 0 && row.delays.length > 0
  const alone = ({ fault }: Row) =>
    Console.log(`${fault.name} once more, alone:`).pipe(
      Effect.andThen(run(fault, template, join(folder, `${fault.name}-alone`), options)),
      Effect.tap(tell)
    )
  const rows = yield* Effect.forEach(together, (row) => isSlow(row) ? alone(row) : Effect.succeed(row))
  yield* Console.log(`\n${Report.table(rows)}`)
  const red = rows.filter(isRed)
  yield* Effect.forEach(red, tell)
  yield* Console.log(`\n${rows.length - red.length} of ${rows.length} rows hold`)
  return red.length > 0 || rows.length === 0 ? 1 : 0
})

main.pipe(
  Effect.scoped,
  // Left to itself, Node 24 sometimes runs in circles when it cleans up after many child processes.
  Effect.tap((code) => Effect.sync(() => process.exit(code))),
  NodeRuntime.runMain
)
