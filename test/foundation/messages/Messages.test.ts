import { assert, describe, it } from "@effect/vitest"
import { isStructurallySame, type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser"
import { sentences } from "../../../src/domain/RuleSentences.ts"
import { languages, messagesOf } from "../../../src/foundation/messages/Languages.ts"
import { callsIn, sources } from "./Calls.ts"
import { elementsOf } from "./Elements.ts"

const english = messagesOf("en")

const namesIn = (message: string): ReadonlyArray<string> =>
  [...new Set(elementsOf(parse(message)).flatMap((element) => isNamed(element) ? [element.value] : []))].sort()

const isNamed = (element: MessageFormatElement): element is Exclude<MessageFormatElement, { type: TYPE.pound }> =>
  element.type !== TYPE.literal && element.type !== TYPE.pound

/** Faults of these calls in the messages of `english`. */
const faultsOf = (called: ReturnType<typeof callsIn>) =>
  called.flatMap(({ asksFor, file, values }) =>
    Object.entries(english).filter(([key]) => asksFor(key)).flatMap(([key, message]) => {
      const wanted = namesIn(message).join(", ")
      const given = values === undefined ? "values that are not written there" : [...values].sort().join(", ")
      return wanted === given ? [] : [`${file}: ${key} has the values "${wanted}" and gets "${given}"`]
    })
  )

describe.each(languages.map(({ tag }) => tag))("the messages in %s", (tag) => {
  const messages = messagesOf(tag)

  it("are in the order of their keys", () => {
    assert.deepStrictEqual(Object.keys(messages), Object.keys(messages).sort())
  })

  it("compile, with the values and tags of the English ones, and without times", () => {
    const faults = Object.entries(messages).flatMap(([key, message]) => {
      const original = english[key]
      if (original === undefined) return [`${key} is no English message`]
      const { error } = isStructurallySame(parse(original), parse(message))
      const times = elementsOf(parse(message)).filter(({ type }) => type === TYPE.date || type === TYPE.time)
      return [...(error === undefined ? [] : [`${key}: ${error.message}`]), ...times.map(() => `${key} formats a time`)]
    })
    assert.deepStrictEqual(faults, [])
  })
})

describe("the program", () => {
  // A page asks for the message of a rule by the rule's code.
  const rules = Object.entries(sentences).map(([code, sentence]) => ({
    file: "src/domain/RuleSentences.ts",
    asksFor: (key: string) => key === `fault.${code}`,
    values: ["label", ...[...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)]
  }))
  const called = [...rules, ...sources.flatMap(([file, code]) => callsIn(file, code))]

  it("asks for every message, and gives each the values that it has", () => {
    const unused = Object.keys(english).filter((key) => !called.some(({ asksFor }) => asksFor(key)))
    assert.deepStrictEqual([...unused, ...faultsOf(called)], [])
  })

  it("has a problem of each code that has a message", () => {
    const codes = new Set(
      sources.flatMap(([, code]) => [...code.matchAll(/\b(?:code: |conflict\(\s*)"(\w+)"/g)].map(([, name]) => name))
    )
    const told = Object.keys(english).flatMap((key) => key.startsWith("error.") ? [key.slice("error.".length)] : [])
    assert.deepStrictEqual(told.filter((code) => !codes.has(code)), [])
  })

  it("has a message of each problem that a page may show", () => {
    const shown = sources.filter(([file]) =>
      /^src\/(?:core\/(?!catalogue|legacy\/(?:import|rehearsal))|domain|doors\/(?!cli|contract|docs|oauth|resource))/
        .test(file)
    )
    const codes = shown.flatMap(([, code]) =>
      [...code.matchAll(/\b(?:new (?:BadRequest|Conflict)\(\{\s*code: |conflict\(\s*)"(\w+)"/g)].map(([, name]) => name)
    )
    assert.isAtLeast(codes.length, 20)
    const untold = codes.filter((code) => !Object.hasOwn(english, `error.${code}`))
    // Pages begin with the first part of the list instead.
    assert.deepStrictEqual(untold, ["invalid_cursor"])
  })

  it.each([
    ["lacks a value", `text("pager.page", { page })`],
    ["has one too many", `text("pager.next", { page })`],
    ["are not written there", `text("pager.page", { ...values })`],
    ["differ from one of two keys", `text(isFirst ? "pager.next" : "pager.page", {})`],
    ["differ from one of many keys", "text(`pager.${part}`)"]
  ])("is found out where the values of a message %s", (_, code) => {
    assert.lengthOf(faultsOf(callsIn("Planted.ts", code)), 1)
  })
})
