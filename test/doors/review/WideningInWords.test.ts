import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { sentenceOf } from "../../../src/core/catalogue/Plan.ts"
import { make } from "../../../src/domain/catalogue/Catalogue.ts"
import { inWords } from "../../../src/doors/review/WideningInWords.ts"
import { html, type Phrase } from "../../../src/foundation/web/Html.ts"
import { fileOf } from "../../core/catalogue/Fixture.ts"
import { written } from "../../support/Written.ts"

const entry = (widened: string) => ({
  id: "1",
  at: DateTime.makeUnsafe(0),
  actor: "cli",
  by: "cli",
  action: "client.widened",
  clientId: null,
  userId: null,
  grantId: null,
  details: { hash: "x", widened }
})

describe("What a catalogue widened, to a reviewer", () => {
  const told = (widened: string): ReadonlyArray<string> => {
    const { widened: items } = inWords(make(fileOf({})))(entry(widened)).details
    if (!Array.isArray(items)) return []
    return items.map((item: Phrase) => written(html`${item}`).replaceAll(/<\/?code>/g, ""))
  }

  it("is told by the titles of scopes, with the number of operations", () => {
    const reaches = ["GET /api/notes", "PUT /api/contacts/{id}"]
    const many = Array.from({ length: 25 }, (_, at) => `GET /api/${at}`)
    const sentences = [
      sentenceOf({ who: ["contacts.read"], what: "new operations", reaches }),
      sentenceOf({ who: ["contacts.read", "members"], what: "operations", reaches: reaches.slice(0, 1) }),
      sentenceOf({ who: ["contacts.write"], what: "scopes", reaches: ["members"] }),
      sentenceOf({ who: ["contacts.read"], what: "operations", reaches: many })
    ]
    assert.deepStrictEqual(told(sentences.join("; ")), [
      "“See contacts” (contacts.read) now opens 2 new operations: GET /api/notes, PUT /api/contacts/{id}",
      "“See contacts” (contacts.read) and “Manage people” (members) now open one more operation: GET /api/notes",
      "“Change contacts” (contacts.write) now includes “Manage people” (members)",
      `“See contacts” (contacts.read) now opens 25 more operations: ${many.slice(0, 20).join(", ")} and 5 others`
    ])
  })

  it("stands as it is where its end was left out, or nothing is known of it", () => {
    assert.deepStrictEqual(
      told("contacts.read: reaches the new GET /api/notes, GE…"),
      ["“See contacts” (contacts.read) now opens more: GET /api/notes, GE…"]
    )
    assert.deepStrictEqual(told("conta…"), ["conta…"])
    assert.deepStrictEqual(told("notes.read: reaches GET /x"), [
      "“notes.read” (notes.read) now opens one more operation: GET /x"
    ])
  })
})
