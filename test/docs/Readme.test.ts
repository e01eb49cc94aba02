import { describe, it } from "@effect/vitest"
import { fileSettingOf } from "../../src/foundation/config/SecretFiles.ts"
import { settings } from "../../src/foundation/config/Settings.ts"
import { assertTable } from "../support/DocumentTable.ts"

describe("README", () => {
  it("lists every setting with unit, default and meaning (UPDATE_DOCS=1 writes the table)", () => {
    assertTable(
      "README.md",
      "settings",
      ["setting", "unit", "default", "meaning"],
      settings.map((s) => [
        s.shown === undefined ? `\`${s.name}\`` : `\`${s.name}\`, \`${fileSettingOf(s.name)}\``,
        s.unit,
        s.default,
        s.meaning
      ])
    )
  })
})
