// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Database from "../../../src/foundation/database/Database.ts"
import { slotkey } from "../../support/Cli.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

describe("slotkey migrate", () => {
  it.live("is the only command that changes the schema", () =>
    Effect.gen(function*() {
      const folder = yield* TestDatabase.temporaryFolder
      const env = { DATA_DIR: folder }
      yield* Effect.provide(TestDatabase.empty, Database.layerEmbedded(folder, "folder", "untouched"), { local: true })
      const refused = yield* slotkey(["accounts", "list"], { env })
      assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
      assert.match(
        refused.stderr,
        /^The schema of the database is behind \(version 0 of \d+\): run slotkey migrate up\n$/
      )

      const status = yield* slotkey(["migrate", "status", "--json"], { env })
      assert.strictEqual(status.code, 1)
      const before = JSON.parse(status.stdout)
      assert.strictEqual(before.schema.version, 0)
      assert.includeMembers(before.pending, ["migration 0033_baseline", "index audit_log_at"])
      assert.match(before.pending.at(-1), /^tables of the jobs, version 0 to \d+$/)
      const dryRun = yield* slotkey(["migrate", "up", "--dry-run", "--json"], { env })
      assert.deepStrictEqual([dryRun.code, JSON.parse(dryRun.stdout)], [0, { done: [], ...before }])

      const up = yield* slotkey(["migrate", "up"], { env })
      const { newest } = before.schema
      assert.strictEqual(up.code, 0)
      const total = before.pending.length
      const begun = before.pending.map((step: string, index: number) =>
        `Step ${index + 1} of ${total}, ${step.replace(/, version .*/, "")}`
      )
      // On a slow machine it tells that a step goes on, too.
      assert.deepStrictEqual(up.stderr.split("\n").filter((line) => line !== "" && !line.endsWith(" s in all")), begun)
      assert.include(up.stdout, before.pending.map((step: string) => `Done: ${step}\n`).join(""))
      const again = yield* slotkey(["migrate", "up", "--json"], { env })
      assert.deepInclude(JSON.parse(again.stdout), { done: [], schema: { version: newest, newest }, pending: [] })
      const then = yield* slotkey(["migrate", "status"], { env })
      assert.deepStrictEqual(then, {
        code: 0,
        stdout: `The schema has version ${newest}; this code knows ${newest}.\nNothing is to be done.\n`,
        stderr: ""
      })
      assert.strictEqual((yield* slotkey(["accounts", "list"], { env })).code, 0)
    }), 180_000)
})
