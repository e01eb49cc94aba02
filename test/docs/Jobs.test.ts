import { describe, it } from "@effect/vitest"
import { workers } from "../../workers/Workers.ts"
import { assertTable } from "../support/DocumentTable.ts"

describe("docs/jobs.md", () => {
  it("lists every queue with what its jobs do and when (UPDATE_DOCS=1 writes the table)", () => {
    assertTable(
      "docs/jobs.md",
      "queues",
      ["queue", "what", "when"],
      workers.map(({ does, kind, when }) => [`\`${kind.queue}\``, does, when])
    )
  })
})
