import { assert, describe, it } from "@effect/vitest"
import { type ReviewedField, reviewedFieldNames } from "../../src/core/clients/records/ReviewedFields.ts"
import { fieldLabels } from "../../src/doors/parts/FieldLabels.ts"
import { inEnglish } from "../../src/foundation/web/Message.ts"
import { changeLines } from "../../workers/ReviewMailParts.ts"

describe("a change in a mail", () => {
  const several: ReadonlyArray<ReviewedField> = ["redirectUris", "scopes"]

  it.each(reviewedFieldNames.filter((field) => field !== "logoDigest"))("has the label of the form: %s", (field) => {
    const label = inEnglish(fieldLabels[field])
    const [first = "", second] = changeLines([{ field, removed: ["old"], added: ["new", "newer"] }])
    if (several.includes(field)) {
      assert.deepStrictEqual([first, second], [`${label} added: new, newer`, `${label} removed: old`])
    } else assert.match(first, new RegExp(`^${label}: .?old.? \u2192 .?new.?, .?newer.?$`))
  })

  it("says that there is another picture, and names the field of another release as it is", () => {
    assert.deepStrictEqual(changeLines([{ field: "logoDigest", removed: [], added: ["digest"] }]), [
      "Logo: another picture"
    ])
    assert.deepStrictEqual(changeLines([{ field: "supportUrl", removed: [], added: ["https://a.example"] }]), [
      "supportUrl: none \u2192 https://a.example"
    ])
  })
})
