/**
 * The first word of a name that mixes scripts which no language writes together, if any: not "highly restrictive" by
 * UTS #39 §5.2. A name may have words of different scripts, as "Яндекс Calendar" has.
 */
export const mixedWord = (name: string): string | undefined =>
  (name.normalize("NFC").match(words) ?? []).find((word) => !written.some((script) => script.test(word)))

/** The letters of such a word that stand out: those that are of no script of the rest, each once. */
export const oddLetters = (word: string): ReadonlyArray<string> => {
  const letters = [...new Set(word.normalize("NFC"))]
  const foreignTo = written.map((script) => letters.filter((letter) => !script.test(letter)))
  return foreignTo.toSorted((a, b) => a.length - b.length)[0] ?? []
}

const words = /[\p{L}\p{M}\p{N}]+/gu

// Characters of no script belong to every one.
const scripts = (...names: ReadonlyArray<string>): RegExp =>
  new RegExp(`^[${["Zyyy", "Zinh", ...names].map((name) => `\\p{scx=${name}}`).join("")}]*$`, "u")

// The scripts in use beside those above, but for Latin (UAX #31, tables 5 and 7).
const alone =
  `Adlm Arab Armn Beng Cans Cher Cyrl Deva Ethi Geor Grek Gujr Guru Hebr Khmr Knda Laoo Mlym Mong Mymr Nkoo Olck
  Orya Sinh Syrc Taml Telu Tfng Thaa Thai Tibt Yiii`.split(/\s+/).map((script) => scripts(script))

const written = [
  scripts("Latn", "Hani", "Hira", "Kana"),
  scripts("Latn", "Hani", "Bopo"),
  scripts("Latn", "Hani", "Hang"),
  ...alone
]
