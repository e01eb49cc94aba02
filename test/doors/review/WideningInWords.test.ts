import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { sentenceOf } from "../../../src/core/catalogue/Plan.ts"
import { make } from "../../../src/domain/catalogue/Catalogue.ts"
import { inWords } from "../../../src/doors/review/WideningInWords.ts"
import { fileOf } from "../../core/catalogue/Fixture.ts"

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
  const told = (widened: string) => inWords(make(fileOf({})))(entry(widened)).details["widened"]

  it("is told by the titles of scopes, with the number of operations", () => {
    const reaches = ["GET /api/notes", "PUT /api/contacts/{id}"]
    const many = Array.from({ length: 25 }, (_, at) => `GET /api/${at}`)
    const sentences = [
      sentenceOf({ who: ["contacts.read"], what: "new operations", reaches }),
      sentenceOf({ who: ["contacts.read", "members"], what: "operations", reaches: reaches.slice(0, 1) }),
      sentenceOf({ who: ["contacts.write"], what: "scopes", reaches: ["members"] }),
      sentenceOf({ who: ["contacts.read"], what: "operations", reaches: many })
    ]
    assert.deepStrictEqual(String(told(sentences.join("; "))).split("; "), [
      "“See contacts” (contacts.read) opens 2 new operations: GET /api/notes, PUT /api/contacts/{id}",
      "“See contacts” (contacts.read) and “Manage people” (members) opens 1 more operation: GET /api/notes",
      "“Change contacts” (contacts.write) now includes “Manage people” (members)",
      `“See contacts” (contacts.read) opens 25 more operations: ${many.slice(0, 20).join(", ")} and 5 others`
    ])
  })

  it("stands as it is where its end was left out, or nothing is known of it", () => {
    assert.strictEqual(
      told("contacts.read: reaches the new GET /api/notes, GE…"),
      "“See contacts” (contacts.read) opens more: GET /api/notes, GE…"
    )
    assert.strictEqual(told("conta…"), "conta…")
    assert.strictEqual(told("notes.read: reaches GET /x"), "“notes.read” (notes.read) opens 1 more operation: GET /x")
  })
})
