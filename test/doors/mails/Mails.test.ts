import { assert, describe, it } from "@effect/vitest"
import { parse } from "node-html-parser"
import { readFileSync } from "node:fs"
import { type Brand, plain } from "../../../src/domain/brand/Brand.ts"
import { sampleMails } from "../../../src/doors/mails/Samples.ts"
import { writtenMail } from "../../../src/doors/mails/WrittenMail.ts"
import { english } from "../../../src/foundation/messages/Languages.ts"
import { pseudoLanguage } from "../../support/PseudoLanguage.ts"
import { visibleTexts } from "../../support/VisibleTexts.ts"
import { accentedNames, allWritten, catalogue, place } from "./Scenario.ts"

const accented = pseudoLanguage("en-XA")
const mirrored = pseudoLanguage("ar-XB")

/**
 * What is no text of ours: addresses, scopes, last characters of secrets, browsers and their systems, what the
 * platform writes of times and lists, and the name of the server.
 */
const isForeign =
  /https?:\/\/\S+|\S+@\S+|\b[\w-]+(?:\.[\w-]+)+\b|[0-9a-f:]*::[0-9a-f:]*|\b[A-Z]+(?:_[A-Z]+)+\b|\u2026\w+|\b[A-Z][a-z]{2} \d+, \d{4}, [\d:]+ \S+|\b9fKm\b|\bFirefox 130\b|\bLinux\b|\band\b|\bUTC\b|\bSlotkey\b/g

const strayIn = (texts: ReadonlyArray<string>) =>
  texts.filter((text) => /[A-Za-z]{2,}/.test(text.replaceAll(isForeign, "")))

/** A text without the breaks of its lines. */
const unwrapped = (text: string) => text.replaceAll(/\n(?=\S)/g, " ")

describe("every mail", () => {
  it.each(allWritten(accented, accentedNames))("has no text that is no message: $name", ({ html, subject, text }) => {
    assert.deepStrictEqual(strayIn([subject, unwrapped(text), ...visibleTexts(html)]), [])
    assert.isAtLeast(html.split("\u27e6").length, 6)
  })

  it.each(allWritten(english))("is a text that can be read anywhere: $name", ({ text }) => {
    const lines = text.split("\n")
    assert.deepStrictEqual(lines.filter((line) => [...line].length > 76 && line.trim().includes(" ")), [])
    // What follows the address of a link would be taken for a part of it.
    assert.deepStrictEqual(lines.filter((line) => line.includes(place.authUrl) && !line.startsWith(place.authUrl)), [])
    assert.deepStrictEqual(lines.filter((line) => line.startsWith(place.authUrl) && line.includes(" ")), [])
    assert.match(text, /^Hello.*,\n\n/)
    assert.notInclude(text, "&")
  })

  it.each(allWritten(english))("loads nothing, and shows where its links lead: $name", ({ html }) => {
    const document = parse(html)
    assert.notMatch(html, /\ssrc=|url\(|@import|<(?:img|script|link|iframe|form)\b/)
    const links = document.querySelectorAll("a").map((one) => ({
      href: one.getAttribute("href") ?? "",
      label: one.textContent
    }))
    const shown = links.filter(({ href, label }) => href === label).map(({ href }) => href)
    for (const { href, label } of links) {
      assert.include(shown, href)
      assert.isTrue(href === label || !/https?:|\w\.\w/.test(label), label)
    }
  })

  it.each(allWritten(english))("holds the token of a link in its link alone: $name", ({ html, subject, text }) => {
    const isSecret = text.includes("slk_link_")
    assert.notInclude(subject, "slk_link_")
    assert.strictEqual(text.split("slk_link_").length, isSecret ? 2 : 1)
    assert.strictEqual(html.split("slk_link_").length, isSecret ? 4 : 1)
  })

  const hostile = Object.fromEntries(
    Object.keys(accentedNames).map((name) => [name, `<b>${name}</b> & "\r\nIt's"`])
  ) as typeof accentedNames

  it.each(allWritten(english, hostile))("has names as they are, and no markup of them: $name", (mail) => {
    assert.notMatch(mail.html, /<b>/)
    assert.notMatch(mail.subject, /[\r\n]|&amp;|&lt;/)
    assert.notMatch(mail.text, /&(?:amp|lt|quot|#39);/)
    if (mail.to !== "") assert.match(mail.text, /^Hello <b>\w+<\/b> & "\s+It's",\n/)
  })

  const mirroredNames = { ...accentedNames, app: "\u05dc\u05d5\u05d7 \u05e7\u05d9\u05e8", person: "\u0639\u0644\u064a" }

  it.each(allWritten(english, mirroredNames))("keeps names of another direction to themselves: $name", (mail) => {
    for (const name of [mirroredNames.app, mirroredNames.person]) {
      for (const line of [mail.subject, ...mail.text.split("\n")]) {
        assert.strictEqual(line.split(name).length, line.split(`\u2068${name}`).length, line)
      }
      const page = mail.html.replace(/<title>[^<]*<\/title>/, "")
      assert.strictEqual(page.split(name).length, page.split(`<bdi>${name}`).length)
    }
  })

  it.each(allWritten(mirrored))("runs in the direction of its language: $name", ({ html }) => {
    assert.match(html, /<html lang="ar-XB" dir="rtl">/)
    assert.notMatch(html, /align="left"|-left:12px|border-left/)
  })

  it("says where people get help if the brand does, and asks the administrators else", () => {
    const textFor = (brand: Brand) =>
      sampleMails(place, catalogue).flatMap(({ mail, name, to }) =>
        name === "address-will-change" ? [writtenMail(mail, to, place.authUrl, { language: english, brand }).text] : []
      ).join().replaceAll("\n", " ")
    const withSupport = textFor({ ...plain, support: "https://help.example" })
    assert.include(withSupport, "ask at https://help.example and name both addresses")
    assert.include(withSupport, "For help and questions: https://help.example")
    const without = textFor(plain)
    assert.include(without, "write to the administrators of this server")
    assert.notInclude(without, "For help and questions")
  })

  it("is listed in docs/mails.md", () => {
    const page = readFileSync(new URL("../../../docs/mails.md", import.meta.url), "utf8")
    const listed = [...page.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name)
    assert.deepStrictEqual(listed, allWritten(english).map(({ name }) => name))
  })
})
