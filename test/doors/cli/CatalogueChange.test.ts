// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Catalogues } from "../../../src/core/catalogue/Catalogues.ts"
import { builtInFile } from "../../../src/domain/catalogue/BuiltIn.ts"
import type { CatalogueFile } from "../../../src/domain/catalogue/file/CatalogueFile.ts"
import { hashOf } from "../../../src/domain/catalogue/file/CatalogueHash.ts"
import { write } from "../../../src/domain/catalogue/file/WriteCatalogue.ts"
import { slowGrants } from "../../core/catalogue/SlowGrants.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"
import { approvedApp } from "../../support/TestServer.ts"
import { besideServer } from "./Scenario.ts"

const builtIn = builtInFile()

const fileWith = (catalogue: CatalogueFile) =>
  Effect.map(temporaryFolder, (folder) => {
    const file = join(folder, "catalogue.json")
    writeFileSync(file, write(catalogue))
    return file
  })

const wider: CatalogueFile = {
  ...builtIn,
  operations: [...builtIn.operations, { method: "GET", path: "/v2/notes", access: "scope", scope: "BOOKING_READ" }]
}
const retired: CatalogueFile = {
  ...builtIn,
  scopes: builtIn.scopes.map((scope) =>
    scope.name === "TEAM_BOOKING_WRITE" ? { ...scope, retired: { since: "2027-01-01" } } : scope
  )
}

describe("slotkey catalogue plan and apply", () => {
  it.live("say what a catalogue changes and whom that concerns, and need leave to widen", () =>
    besideServer(Effect.fnUntraced(function*({ run }) {
      const { tokens } = yield* approvedApp()
      yield* tokens()
      const file = yield* fileWith(wider)
      const planned = yield* run("catalogue", "plan", file)
      assert.deepStrictEqual([planned.code, planned.stderr], [1, "To apply it, say --widen.\n"])
      const [first, ...lines] = planned.stdout.trimEnd().split("\n")
      assert.strictEqual(first, `${hashOf(builtIn)} is in force. ${hashOf(wider)} would change:`)
      assert.includeMembers(lines, [
        "  GET /v2/notes: not listed → BOOKING_READ",
        "  WIDER: BOOKING_READ: reaches the new GET /v2/notes",
        "  wider, as ever: legacy apps: reaches the new GET /v2/notes"
      ])
      assert.match(planned.stdout, /BOOKING_READ: \d+ apps? may ask for it, held by \d+ live grants?/)
      assert.include(lines, "  all (legacy): 0 apps may ask for it, held by 0 live grants")

      const applied = yield* run("catalogue", "apply", file)
      assert.strictEqual(applied.code, 1)
      assert.include(applied.stderr, "BOOKING_READ: reaches the new GET /v2/notes")
      assert.isUndefined((yield* (yield* Catalogues).current).announced)
    }, Effect.provide(Catalogues.layer))))

  it.live("say all but the number of grants where counting them takes too long, and what to set", () =>
    besideServer(Effect.fnUntraced(function*({ json, run }) {
      const { tokens } = yield* approvedApp()
      yield* tokens()
      yield* slowGrants(yield* SqlClient.SqlClient)
      const file = yield* fileWith(retired)
      const { stdout } = yield* run("catalogue", "plan", file)
      assert.include(stdout, "  retired: TEAM_BOOKING_WRITE\n")
      assert.include(stdout, "  TEAM_BOOKING_WRITE: 0 apps may ask for it, held by an unknown number of live grants\n")
      assert.include(stdout, "Grants were not counted: there are so many that it takes longer than IMPORT_TIMEOUT.")
      const concerned = [{ scope: "TEAM_BOOKING_WRITE", apps: 0, grants: null }]
      assert.deepInclude(yield* json("catalogue", "plan", file), { concerned })
    })))

  it.live("name what forbids a catalogue, with the exit code of a wrong input", () =>
    besideServer(Effect.fnUntraced(function*({ run }) {
      const gone = { ...builtIn, scopes: builtIn.scopes.filter(({ name }) => name !== "TEAM_BOOKING_WRITE") }
      const scopes = gone.scopes.map(({ implies = [], ...scope }) => ({
        ...scope,
        implies: implies.filter((name) => name !== "TEAM_BOOKING_WRITE")
      }))
      const planned = yield* run("catalogue", "plan", yield* fileWith({ ...gone, scopes }))
      assert.deepStrictEqual([planned.code, planned.stderr], [2, "The catalogue cannot be announced.\n"])
      assert.include(planned.stdout, "refused: TEAM_BOOKING_WRITE is gone: retire it, so that who holds it keeps it.")
    })))

  it.live("the second of two administrators learns what is announced, by whom, and since when", () =>
    besideServer(Effect.fnUntraced(function*({ json, run }) {
      const file = yield* fileWith(retired)
      const plan = yield* json("catalogue", "plan", file)
      assert.deepInclude(plan, { retired: ["TEAM_BOOKING_WRITE"], widened: [], refusals: [], widens: false })
      const catalogues = yield* Catalogues
      const { inForce } = yield* catalogues.current
      yield* catalogues.announce({ file: retired, isBuiltIn: false }, inForce?.id ?? "", { actor: "cli" })
      const applied = yield* run("catalogue", "apply", yield* fileWith(wider), "--widen")
      assert.strictEqual(applied.code, 1)
      assert.match(applied.stderr, new RegExp(`The catalogue ${hashOf(retired)} is announced already, by cli at 20`))
      const early = yield* run("catalogue", "finish")
      assert.deepStrictEqual([early.code, early.stdout], [1, ""])
      assert.include(early.stderr, "It was announced less than 20 seconds ago")
      const withdrawn = yield* run("catalogue", "withdraw")
      assert.strictEqual(
        withdrawn.stdout,
        `${hashOf(retired)} is not announced any more. Nodes learn of it within 10 seconds.\n`
      )
    }, Effect.provide(Catalogues.layer))))
})
