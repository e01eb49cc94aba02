import { assert, describe, it } from "@effect/vitest"
import { plain } from "../../../src/domain/brand/Brand.ts"
import { make } from "../../../src/foundation/messages/Language.ts"
import { accepted, english, preferred } from "../../../src/foundation/messages/Languages.ts"
import { html, write } from "../../../src/foundation/web/Html.ts"
import { choiceText, listText } from "../../../src/foundation/web/ListText.ts"
import { inEnglish, keptMessage, problemText, strong, text } from "../../../src/foundation/web/Message.ts"
import { written } from "../../support/Written.ts"

const german = make("de", { "pager.page": "Seite {page, number} von {pages, number}" }, english)

describe("A language", () => {
  it("says in English what it has no message for, message by message", () => {
    const page = html`${text("pager.page", { page: 1, pages: 1234 })}, ${text("pager.next")}`
    assert.strictEqual(write(page, { language: german, brand: plain }), "Seite 1 von 1.234, Next")
    assert.strictEqual(written(page), "Page 1 of 1,234, Next")
  })

  it("chooses words by a number, escapes values and keeps markup", () => {
    assert.deepStrictEqual(
      [1, 2].map((minutes) => inEnglish(text("failure.tooMuch.remedy", { minutes }))),
      ["Try again in a minute.", "Try again in 2 minutes."]
    )
    assert.strictEqual(
      written(text("signIn.anotherElsewhere", { name: "<Ann>", strong })).split(". ")[0],
      "Your platform tells this server who you are: <strong>&lt;Ann&gt;</strong>"
    )
    assert.strictEqual(
      written(text("signIn.toApp", { app: html`<bdi>${"A&B"}</bdi>` })),
      "To continue to <bdi>A&amp;B</bdi>"
    )
  })

  it("lists things", () => {
    const items = ["a", html`<b>b</b>`, "c"]
    assert.deepStrictEqual([listText(items), choiceText(items), listText([])].map(written), [
      "a, <b>b</b> and c",
      "a, <b>b</b> or c",
      ""
    ])
    assert.strictEqual(write(listText(items), { language: german, brand: plain }), "a, <b>b</b> und c")
  })

  it("is written from right to left where its script is", () => {
    const directions = ["ar", "he", "fa", "ur", "dv", "uz-Arab", "uz", "de", "ja"].map((tag) => make(tag, {}).direction)
    assert.deepStrictEqual(directions, ["rtl", "rtl", "rtl", "rtl", "rtl", "rtl", "ltr", "ltr", "ltr"])
  })
})

describe("A problem", () => {
  it("is told to people by the message of its code, else as to programs", () => {
    const told = (code: string) => problemText({ code, message: "Not allowed." })
    assert.deepStrictEqual(told("owns_used_apps"), text("error.owns_used_apps"))
    assert.strictEqual(told("nobody_knows"), "Not allowed.")
  })
})

describe("A message that was kept", () => {
  it("is none in a release that has no such key, or wants other values", () => {
    assert.deepStrictEqual(keptMessage("pager.page", { page: 1, pages: 2 }), text("pager.page", { page: 1, pages: 2 }))
    assert.isUndefined(keptMessage("of.another.release", {}))
    assert.isUndefined(keptMessage("pager.page", { page: 1 }))
  })
})

describe("The language of a reader", () => {
  const languages = ["pt-BR", "pt-PT", "zh-Hant", "sr-Latn", "de"].map((tag) => make(tag, {}))

  it.each([
    ["de-AT", "de"],
    ["pt", "pt-BR"],
    ["pt-AO", "pt-BR"],
    ["pt-PT", "pt-PT"],
    ["zh-TW", "zh-Hant"],
    ["zh", "en"],
    ["sr", "en"],
    ["tlh nonsense_ * de", "de"],
    ["", "en"]
  ])("that wants %s is %s", (wishes, tag) => {
    assert.strictEqual(preferred([english, ...languages], wishes.split(" ")).tag, tag)
  })

  it("is read from what a browser accepts, by its weights", () => {
    assert.deepStrictEqual(accepted("de;q=0.5, fr-CA, en;q=0, *;q=0.1"), ["fr-CA", "de", "*"])
    assert.deepStrictEqual(accepted(undefined), [])
  })
})
