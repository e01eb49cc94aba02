import { assert, describe, it } from "@effect/vitest"
import { fileSettingOf } from "../../src/foundation/config/SecretFiles.ts"
import { settings } from "../../src/foundation/config/Settings.ts"
import { subjects } from "../../src/foundation/config/SettingSubjects.ts"
import { assertPart, tableOf } from "../support/DocumentTable.ts"

describe("docs/operations/settings.md", () => {
  it("lists every setting under its subject, with unit, default and meaning (UPDATE_DOCS=1 writes the tables)", () => {
    const groups = Object.entries(subjects).map(([subject, heading]) => ({
      heading,
      rows: settings.filter((s) => s.subject === subject).map((s) => [
        s.shown === undefined ? `\`${s.name}\`` : `\`${s.name}\`, \`${fileSettingOf(s.name)}\``,
        s.unit,
        s.default,
        s.meaning
      ])
    }))
    for (const { heading, rows } of groups) assert.isNotEmpty(rows, heading)
    assertPart(
      "docs/operations/settings.md",
      "settings",
      groups.map(({ heading, rows }) => `## ${heading}\n\n${tableOf(["setting", "unit", "default", "meaning"], rows)}`)
        .join("\n\n")
    )
  })
})
