import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { Contact, contactHref } from "../../../../src/core/clients/records/Contact.ts"

const entered = (text: string) => Option.getOrUndefined(Schema.decodeUnknownOption(Contact)(text))

describe("a contact of an app", () => {
  it.each([
    ["help@app.example", "mailto:help@app.example"],
    ["  first.last+slotkey@app.example ", "mailto:first.last+slotkey@app.example"],
    ["https://app.example/help?topic=calendar", "https://app.example/help?topic=calendar"]
  ])("may be %s", (text, href) => {
    assert.strictEqual(entered(text), text.trim())
    assert.strictEqual(contactHref(text.trim()), href)
  })

  it.each([
    ["nothing", ""],
    ["words", "write to us"],
    ["an address on which others may listen", "http://app.example/help"],
    ["an address with credentials", "https://user:secret@app.example/"],
    ["a script", "javascript:alert(1)"],
    ["a telephone", "tel:+4930123456"],
    ["two addresses", "help@app.example,other@app.example"],
    ["a letter that our link would begin", "help@app.example?bcc=victim@bank.example"],
    ["an address with an encoded sign", "help%2cother@app.example"],
    ["an address that reads backwards", "help@app.\u202eexample"],
    ["an address with an invisible character", "he\u200blp@app.example"],
    ["two lines", "help@app.example\nother"],
    ["a mail address that no mail server takes", `${"a".repeat(250)}@app.example`]
  ])("is not %s", (_, text) => assert.isUndefined(entered(text)))
})
