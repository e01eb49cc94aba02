import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { copyOfProject, project } from "./Scenario.ts"

const copy = copyOfProject()
writeFileSync(
  join(copy, "tsconfig.sources.json"),
  JSON.stringify({ extends: "./tsconfig.json", include: ["src", "workers"] })
)

const list = join(copy, "src/core/clients/records/ReviewedFields.ts")
const original = readFileSync(list, "utf8")
const opening = "export const reviewedFields = {"
const openingOfInputs = "export const reviewedInputs = {"

/** Files with compiler errors after this text has replaced the list of fields. */
const filesToChange = (text: string): ReadonlyArray<string> => {
  writeFileSync(list, text)
  const tsc = join(project, "node_modules/.bin/tsc")
  const { stdout } = spawnSync(tsc, ["-p", "tsconfig.sources.json", "--pretty", "false", "--checkers", "1"], {
    cwd: copy,
    encoding: "utf8"
  })
  return [...new Set([...stdout.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, file = ""]) => file))].toSorted()
}

// Both fields in one text, because the compiler takes its time. Checkers beside each other do much of the work twice.
describe("a new reviewed field", { timeout: 120_000 }, () => {
  it("does not compile before the list says what may be entered, apps have it, and the form and the review show it", () => {
    const planted = original
      .replace(opening, `${opening}\n  statusUrl: Schema.String,\n  unlisted: Schema.String,`)
      .replace(openingOfInputs, `${openingOfInputs}\n  statusUrl: WebAddress,`)
    assert.deepStrictEqual(filesToChange(planted), [
      // List and its user, for the field of which it does not say what may be entered.
      "src/core/clients/documents/ClientDocuments.ts",
      "src/core/clients/dynamic/RegistrationRecord.ts",
      "src/core/clients/life/DemoApp.ts",
      "src/core/clients/life/NewClient.ts",
      "src/core/clients/records/ReviewedFields.ts",
      "src/core/legacy/import/ImportedClient.ts",
      "src/doors/looks/Samples.ts",
      "src/doors/parts/FieldLabels.ts",
      "src/doors/portal/AppFormView.ts",
      "src/doors/portal/SettingsView.ts",
      "src/doors/review/ReviewFactsView.ts",
      "src/testing/TestApps.ts"
    ])
  })
})
