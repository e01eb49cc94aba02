import { describe, it } from "@effect/vitest"
import { table } from "../../src/foundation/config/Settings.ts"
import { assertTable } from "../support/DocumentTable.ts"

describe("docs/identity.md", () => {
  it("lists the settings of sign-in (UPDATE_DOCS=1 writes the table)", () => {
    const settings = Object.entries(table).filter(([key]) =>
      /^(signIn|profileClaims|oidc|handover|proxy)|Claim$/.test(key)
    )
    assertTable(
      "docs/identity.md",
      "identity",
      ["setting", "unit", "default", "meaning"],
      settings.map(([, { default: fallback, meaning, name, unit }]) => [`\`${name}\``, unit, fallback, meaning])
    )
  })
})
