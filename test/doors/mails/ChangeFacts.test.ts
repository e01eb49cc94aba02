import { assert, describe, it } from "@effect/vitest"
import { type ReviewedField, reviewedFieldNames } from "../../../src/core/clients/records/ReviewedFields.ts"
import { plain as plainBrand } from "../../../src/domain/brand/Brand.ts"
import { changeFacts } from "../../../src/doors/mails/ChangeFacts.ts"
import { facts } from "../../../src/doors/mails/Mail.ts"
import { plain, plainBlocks } from "../../../src/doors/mails/MailText.ts"
import { fieldLabels } from "../../../src/doors/parts/FieldLabels.ts"
import type { Change } from "../../../src/foundation/jobs/kinds/ReviewNotice.ts"
import { english } from "../../../src/foundation/messages/Languages.ts"

const reader = { language: english, brand: plainBrand }

const linesOf = (...changes: ReadonlyArray<Change>) => plainBlocks([facts(...changeFacts(changes))], reader).split("\n")

describe("a change in a mail", () => {
  const several: ReadonlyArray<ReviewedField> = ["redirectUris", "scopes"]

  it.each(reviewedFieldNames.filter((field) => field !== "logoDigest" && field !== "optionalScopes"))(
    "has the label of the form: %s",
    (field) => {
      const label = plain(fieldLabels[field], reader)
      const [first = "", second] = linesOf({ field, removed: ["old"], added: ["new", "newer"] })
      if (several.includes(field)) {
        assert.deepStrictEqual([first, second], [`${label} added: new and newer`, `${label} removed: old`])
      } else assert.match(first, new RegExp(`^${label}: .?old.? \u2192 .?new.? and .?newer.?$`))
    }
  )

  it("says that there is another picture, and names the field of another release as it is", () => {
    assert.deepStrictEqual(linesOf({ field: "logoDigest", removed: [], added: ["digest"] }), ["Logo: another picture"])
    assert.deepStrictEqual(linesOf({ field: "supportUrl", removed: [], added: ["https://a.example"] }), [
      "supportUrl: none \u2192 https://a.example"
    ])
  })

  it("says what users may decline, and what they may not any more: nothing of a scope that goes", () => {
    const marks = { field: "optionalScopes", removed: ["BOOKING_READ", "PROFILE_READ"], added: ["SCHEDULE_READ"] }
    assert.deepStrictEqual(linesOf(marks), [
      "Users may now decline: SCHEDULE_READ",
      "Users may no longer decline: BOOKING_READ and PROFILE_READ"
    ])
    assert.deepStrictEqual(
      linesOf({ field: "scopes", removed: ["BOOKING_READ"], added: [] }, { ...marks, added: [] }),
      ["Scopes removed: BOOKING_READ", "Users may no longer decline: PROFILE_READ"]
    )
  })

  it("says what the app says of itself, and that it says it no more", () => {
    assert.deepStrictEqual(
      linesOf(
        { field: "tagline", removed: [], added: ["Keeps calendars in step."] },
        { field: "contact", removed: ["help@app.example"], added: [] }
      ),
      ["Tagline: none \u2192 Keeps calendars in step.", "Contact: help@app.example \u2192 none"]
    )
  })
})
