import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { slotkey } from "../../support/Cli.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"
import { besideServer } from "./Scenario.ts"

it.live(
  "slotkey import-legacy leaves no file of misfits where there is nothing to import",
  () =>
    besideServer(Effect.fnUntraced(function*({ env, json }) {
      yield* json("migrate", "up")
      const folder = yield* temporaryFolder
      const [mistyped, misfits] = [join(folder, "aps.jsonl"), join(folder, "misfits.jsonl")]
      const refused = yield* slotkey(["import-legacy", mistyped, "--apply", "--skip", misfits], { env })
      assert.deepStrictEqual(refused, { code: 2, stdout: "", stderr: `The file ${mistyped} cannot be read.\n` })
      assert.isFalse(existsSync(misfits), "with it, the right command would be refused")
    })),
  60_000
)
