import { assert, describe, it } from "@effect/vitest"
import { Exit, Schema } from "effect"
import { nameChecks } from "../../../src/core/clients/review/NameChecks.ts"
import { skeletonsOf } from "../../../src/domain/names/Skeleton.ts"
import { Line } from "../../../src/domain/Text.ts"
import { honestNames } from "./HonestNames.ts"

/** The pairs of these names that pass for each other. */
const twinsAmong = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const bySkeleton = new Map<string, string>()
  return names.flatMap((name) =>
    skeletonsOf(name).flatMap((skeleton) => {
      const other = bySkeleton.get(skeleton)
      bySkeleton.set(skeleton, name)
      return other === undefined || other === name ? [] : [`${other} ${name}`]
    })
  )
}

const names = honestNames.flatMap(([, names]) => names)

describe("Honest names", () => {
  it("are several hundred in more than fifteen alphabets, each once", () => {
    assert.isAbove(honestNames.length, 15)
    assert.isAbove(names.length, 500)
    assert.strictEqual(new Set(names).size, names.length)
  })

  it.each(honestNames)("are taken, and give a reviewer no cause to look twice: %s", (_, names) => {
    const isTaken = (name: string) => Exit.isSuccess(Schema.decodeExit(Line(1, 80))(name))
    assert.deepStrictEqual(names.filter((name) => !isTaken(name)), [])
    assert.deepStrictEqual(names.flatMap(nameChecks), [])
  })

  it("are no twins of each other", () => {
    assert.deepStrictEqual(twinsAmong(names), [])
  })
})

describe("The letters of an alphabet", () => {
  // Ranges of letters, and the pairs that Unicode takes for one as well. Accents do not count in Greek and Cyrillic.
  it.each([
    ["Greek", "α-ω", "οσ"],
    ["Cyrillic", "а-зк-яђєѕіјљњћџґғқңөүһәҗҙҡҫҳӊ", "уү"],
    ["Armenian", "ա-ֆ", "գզ ոռ"],
    ["Georgian", "ა-ჰ", ""],
    ["Hebrew", "א-ת", "ון"],
    ["Arabic", "آ-ؤئ-ةج-غف-قل-هوىپچڈڑژڤگۆۇۈۋ", ""],
    ["Devanagari", "ऄ-हऽॐक़-ॡॲ-ॿ", ""],
    ["Bengali", "অ-হৡ", ""],
    ["Gurmukhi", "ਅ-ਹਖ਼ਗ਼ਜ਼ੜਫ਼", ""],
    ["Gujarati", "અ-હૐૠૡ", ""],
    ["Odia", "ଅ-ହଡ଼-ୡୱ", ""],
    ["Tamil", "அ-ஹ", "ஈர ஐஜ ஶஸ"],
    ["Telugu", "అ-హౘ-ౡ", ""],
    ["Kannada", "ಅ-ಹೞ-ೡ", ""],
    ["Malayalam", "അ-ഺൺ-ൿ", "ഌങ രറ"],
    ["Sinhala", "අ-ෆ", "එඵ ඔඹ ඛබ චව භහ"],
    ["Thai", "ก-ฮะ-ำเ-ๅ", "ขฃ คด ฆม ชซ ฎฏ คต ดต ฑท ภฦ เแ าๅ"],
    ["Lao", "ກ-ຮໜໝ", ""],
    ["Khmer", "ក-ឳ", "ដត អឣ"],
    ["Myanmar", "က-ဪ", ""],
    ["Ethiopic", "ሀ-ፚ", ""],
    ["Tibetan", "ཀ-ཬ", "རཪ"],
    ["Hiragana", "ぁ-ゖ", ""],
    ["Katakana", "ァ-ヺ", ""],
    ["Hangul", "가-깋", ""]
  ])("are told apart: %s", (_, range, alike) => {
    const pattern = new RegExp(`[${range}]`, "u")
    const letters = Array.from({ length: 0xd7a4 }, (_, point) => String.fromCharCode(point)).filter((it) =>
      pattern.test(it)
    )
    assert.isAbove(letters.length, 20)
    const known = new Set(alike.split(" ").flatMap(([one = "", other = ""]) => [`${one} ${other}`, `${other} ${one}`]))
    assert.deepStrictEqual(twinsAmong(letters).filter((pair) => !known.has(pair)), [])
  })
})
