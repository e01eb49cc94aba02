import { assert, describe, it } from "@effect/vitest"
import { Exit, Schema } from "effect"
import { Line, Text } from "../../src/domain/Text.ts"

const takes = (schema: ReturnType<typeof Text>) => (text: string) => Exit.isSuccess(Schema.decodeExit(schema)(text))

const isName = takes(Line(1, 80))
const isText = takes(Text(0, 2000))

describe("A name", () => {
  it.each(["Wall Display", "Zoë", "カレンダー", "👩‍👩‍👧 Family", "می‌خواهم", "क्‍ष", "🏳️‍🌈", "മോഹന്‍ലാല്‍", "పవన్‌ కళ్యాణ్‌", "a–b · c"])(
    "may be %s",
    (name) => {
      assert.isTrue(isName(name))
    }
  )

  it.each([
    "Wall\nDecide here: https://evil.example",
    "a\tb",
    "a\rb",
    "a\u2028b",
    "a\u009bb",
    "\u200b\u200b",
    "\u3164",
    "\u2800",
    "Wall\u200b Display",
    "Wall\u200dDisplay",
    "Acme\u034f",
    "Acme\ufe0f",
    "Acme\u{e0100}",
    "Янд\u200cекс",
    "می\u200c\u200cخواهم",
    "Wall\u00adDisplay",
    "Wa\ufeffll"
  ])("is on one line and seen in full: not %j", (name) => {
    assert.isFalse(isName(name))
  })

  it.each([
    ["Wall\u200b Display", "invisible characters: U+200B after “Wall”"],
    ["\u200eWall", "invisible characters: U+200E"],
    ["Acme\u{e0100}", "invisible characters: U+E0100 after “Acme”"],
    ["Acme\u202e", "control characters: U+202E after “Acme”"],
    ["a\u009bb", "control characters: U+009B after “a”"]
  ])("is refused with the character and its place: %j", (name, message) => {
    const exit = Schema.decodeExit(Line(1, 80))(name)
    assert.isTrue(Exit.isFailure(exit) && String(exit.cause).includes(`must not contain ${message}`), String(exit))
  })

  it.prop("is also a text", [Schema.String], ([name]) => {
    if (isName(name)) assert.isTrue(isText(name))
  })
})

describe("A text", () => {
  it("has lines, and no control characters", () => {
    assert.isTrue(isText("one\n\ttwo\r\n"))
    for (const text of ["a\u0000b", "a\u001bb", "a\u009bb", "a\u202eb", "a\ud800b"]) assert.isFalse(isText(text))
  })
})
