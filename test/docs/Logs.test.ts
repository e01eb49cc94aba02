import { describe, it } from "@effect/vitest"
import { securityEvents } from "../../src/core/audit/SecurityEvents.ts"
import { assertTable } from "../support/DocumentTable.ts"

describe("docs/operations/logs.md", () => {
  it("lists every security event with its level and meaning (UPDATE_DOCS=1 writes the table)", () => {
    assertTable(
      "docs/operations/logs.md",
      "events",
      ["event", "level", "meaning"],
      securityEvents.map(({ level, name, says }) => [`\`${name}\``, level.toUpperCase(), says])
    )
  })
})
