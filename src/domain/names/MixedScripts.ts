import { byCase, byShape, marked } from "./Confusables.ts"
import { fold, latin } from "./Skeleton.ts"

/**
 * First word of a name that mixes scripts which no language writes together, if any: not "highly restrictive" by UTS
 * #39 §5.2, and not evident to a reader as `амоCRM`, `LINEแมน` and `Δt` are. A name may have words of different
 * scripts, as "Яндекс Calendar" has.
 */
export const mixedWord = (name: string): string | undefined =>
  (name.normalize("NFC").match(words) ?? []).find((word) =>
    !written.some((script) => script.test(word)) && !isEvident(word)
  )

/** Letters of such a word that stand out: those that are of no script of the rest, each once. */
export const oddLetters = (word: string): ReadonlyArray<string> => {
  const letters = [...new Set(word.normalize("NFC"))]
  const foreignTo = written.map((script) => letters.filter((letter) => !script.test(letter)))
  return foreignTo.toSorted((a, b) => a.length - b.length)[0] ?? []
}

/**
 * True where readers see each script for what it is: a Latin part and one of another script, each with a letter that
 * looks like none of the other's. A single letter, or one between two changes of script, must not look like a Latin one
 * in either case.
 */
const isEvident = (word: string): boolean => {
  const parts = word.replaceAll(/[\p{sc=Zyyy}\p{sc=Zinh}]/gu, "").match(/\p{sc=Latn}+|\P{sc=Latn}+/gu) ?? []
  const others = parts.filter((part) => !/\p{sc=Latn}/u.test(part))
  const script = alone.find((script) => script.test(others.join("")))
  if (script === undefined) return false
  return parts.every((part) => {
    const letters = Array.from(part)
    if (!others.includes(part)) return letters.length > 1 || !isImage(part, script)
    return parts.length === 2 && letters.length > 1
      ? !letters.every((letter) => looksLatin(letter))
      : !letters.some((letter) => looksLatin(letter) || byCase.has(letter))
  })
}

const looksLatin = (letter: string): boolean => {
  const [base = letter] = letter.normalize("NFD")
  return /^(?:[a-z]|rn|vv)$/.test(byShape.get(base) ?? "") || marked.has(base.toLowerCase())
}

/** Tells whether a letter of a script looks like this Latin one, capital like capital. */
const isImage = (letter: string, script: RegExp): boolean =>
  [...byShape].some(([other, shape]) =>
    shape === (latin.get(fold(letter)) ?? fold(letter)) && isCapital(other) === isCapital(letter) &&
    script.test(other) && !/\p{sc=Zyyy}/u.test(other)
  )

const isCapital = (letter: string): boolean => letter !== letter.toLowerCase()

const words = /[\p{L}\p{M}\p{N}]+/gu

// Characters of no script belong to every one.
const scripts = (...names: ReadonlyArray<string>): RegExp =>
  new RegExp(`^[${["Zyyy", "Zinh", ...names].map((name) => `\\p{scx=${name}}`).join("")}]*$`, "u")

// Scripts in use beside those above, but for Latin (UAX #31, tables 5 and 7).
const alone =
  `Adlm Arab Armn Beng Cans Cher Cyrl Deva Ethi Geor Grek Gujr Guru Hebr Khmr Knda Laoo Mlym Mong Mymr Nkoo Olck
  Orya Sinh Syrc Taml Telu Tfng Thaa Thai Tibt Yiii`.split(/\s+/).map((script) => scripts(script))

const written = [
  scripts("Latn", "Hani", "Hira", "Kana"),
  scripts("Latn", "Hani", "Bopo"),
  scripts("Latn", "Hani", "Hang"),
  ...alone
]
