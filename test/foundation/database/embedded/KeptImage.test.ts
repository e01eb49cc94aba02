import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { indexes } from "../../../../src/foundation/database/migrations/indexes.ts"
import { temporaryFolder } from "../../../support/TestDatabase.ts"

/** Sources as the package has them, without the image of an empty database, so that a start in memory makes one. */
const sourcesWithoutImage = Effect.gen(function*() {
  const folder = yield* temporaryFolder
  cpSync("src", join(folder, "src"), { recursive: true, filter: (name) => !name.endsWith("EmptyDatabase.tar.br") })
  cpSync("package.json", join(folder, "package.json"))
  symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"))
  return folder
})

const program = `
  import { Effect } from "effect"
  import { mkdtempSync } from "node:fs"
  import { layerEmbedded } from "./src/foundation/database/Database.ts"
  import { status } from "./src/foundation/database/DatabaseSchema.ts"
  import { serve } from "./src/foundation/database/embedded/Embedded.ts"
  import { open } from "./src/foundation/database/IndexBuilder.ts"

  const folder = () => mkdtempSync("d")
  const start = Effect.gen(function*() {
    const { pending, version } = yield* status
    return { hasSchema: version > 0, missing: pending.length + (yield* open).length }
  })
  const inMemory = Effect.suspend(() => Effect.provide(start, layerEmbedded(folder(), "memory"), { local: true }))
  const isMigrated = Effect.scoped(Effect.map(serve(folder(), "memory"), ({ isMigrated }) => isMigrated))
  const steps = { inMemory, isMigrated }
  console.log(JSON.stringify(await Effect.runPromise(Effect.all(process.argv.slice(1).map((step) => steps[step])))))`

/** Starts in memory, or only looks whether one comes from a kept image; logs are printed before. */
const run = (cwd: string, ...steps: ReadonlyArray<"inMemory" | "isMigrated">): ReadonlyArray<unknown> => {
  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program, ...steps], {
    cwd,
    encoding: "utf8",
    timeout: 60_000,
    env: { ...process.env, XDG_CACHE_HOME: join(cwd, "cache") }
  })
  return JSON.parse(printed.trim().split("\n").at(-1) ?? "")
}

it.effect("a database from a kept image has every migration and index, without looking for them", () =>
  Effect.gen(function*() {
    const whole = { hasSchema: true, missing: 0 }
    const folder = yield* sourcesWithoutImage
    assert.deepStrictEqual(run(folder, "inMemory", "isMigrated", "inMemory"), [whole, true, whole])
  }))

it.effect("no image is kept of a database whose indexes could not be built", () =>
  Effect.gen(function*() {
    const folder = yield* sourcesWithoutImage
    const file = join(folder, "src/foundation/database/migrations/indexes.ts")
    writeFileSync(file, readFileSync(file, "utf8").replace("audit_log (at)", "audit_log (no_such_column)"))
    const broken = { hasSchema: true, missing: indexes.length }
    assert.deepStrictEqual(run(folder, "inMemory", "isMigrated"), [broken, false])
  }))
