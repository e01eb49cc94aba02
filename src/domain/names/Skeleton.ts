import { claims, legalForms } from "../VouchingWords.ts"
import { byCase, byShape, marked } from "./Confusables.ts"

/** Grows with each change of what a skeleton is, the table included: those kept in the database are then made again. */
export const skeletonRules = 3

/** Texts without what font, width and case add: `Ｓ`, `𝒮` and `S` are `s`, and marks stand apart from their letters. */
export const fold = (text: string): string => text.normalize("NFKD").toLowerCase().normalize("NFKD")

/** Latin letters and digits that look like others in some case: l, I, i, 1; O, o, 0; S, 5; B, 8; rn, m; vv, w. */
export const latin: ReadonlyMap<string, string> = new Map([
  ["1", "l"],
  ["i", "l"],
  ["0", "o"],
  ["5", "s"],
  ["8", "b"],
  ["m", "rn"],
  ["w", "vv"]
])

/**
 * Shapes of a name, as UTS #39 §4 makes skeletons of identifiers, but for people: case, spaces, punctuation, accents,
 * what is drawn as nothing, and words at its ends that only vouch for it do not count. Two names with one skeleton in
 * common pass for each other.
 *
 * The first skeleton is of the name as it is written. The skeleton of its lower case differs where capital and small
 * letter look like different Latin letters, as the Greek Ν and ν do. Among Latin letters, others also pass for those
 * that only a mark tells them from, as қ for k, and for those that their capitals look like, as н for h. Among their
 * own, қ and к are two letters.
 */
export const skeletonsOf = (name: string): ReadonlyArray<string> => {
  const readings = new Set([name, coreOf(name)].flatMap(readingsOf))
  return [...new Set(Array.from(readings, skeletonOf))]
}

/** `Calendar Sync` of `Official Calendar Sync, Inc. (verified)`. A name of such words alone is what it is. */
const coreOf = (name: string): string => {
  const words = [...name.matchAll(/(?:\p{L}\.){2,}\p{L}?|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu)]
  const kindOf = ([word]: RegExpExecArray) => vouching.get(skeletonOf(word))
  const first = words.find((word) => kindOf(word) !== "claim")
  const last = words.findLastIndex((word) => kindOf(word) === undefined)
  return last < 0 ? name : name.slice(first === words[0] ? 0 : first?.index, words[last + 1]?.index)
}

const readingsOf = (name: string): ReadonlyArray<string> => {
  const lowerCase = name.replaceAll(tradeMarks, "").normalize("NFKD").toLowerCase()
  return /\p{sc=Latn}/u.test(name)
    ? [name, lowerCase, Array.from(lowerCase, (it) => marked.get(it) ?? byCase.get(it) ?? it).join("")]
    : [name, lowerCase]
}

/** Repeated until nothing changes: removing a character may bring marks together that normalize differently. */
const skeletonOf = (name: string): string => {
  const shapes = shapesOf(name)
  return shapes === name ? name : skeletonOf(shapes)
}

const shapesOf = (name: string): string => {
  const seen = name.replaceAll(tradeMarks, "").normalize("NFD").replaceAll(/\p{DI}/gu, "").replaceAll(separators, "")
  const letters = seen.replaceAll(signs, (sign) => shapeOf(sign).replaceAll(signs, "")).replaceAll(accents, "")
  const read = letters.replaceAll(clusters, shapeOfCluster).replaceAll(signs, "")
  // A name of symbols alone is what it is.
  return read === "" ? fold(name).replaceAll(/\s/gu, "") : read
}

// A bar between two words separates them; one inside a word stands for an l.
const separators = /(?<=^|\s)[\p{P}\p{Sm}\p{M}]+(?=\s|$)/gu

const tradeMarks = /[\u2120\u2122]|\u1d40\u1d39/gu

const signs = /[^\p{L}\p{N}\p{M}]/gu

const shapeOf = (character: string): string =>
  byShape.get(character) ??
    Array.from(fold(character), (it) => byShape.get(it) ?? latin.get(it) ?? it).join("")

/** A letter with marks that count looks like no letter on which they do not. */
const shapeOfCluster = (cluster: string, letter: string, marks: string): string => {
  const shape = shapeOf(letter)
  return marks !== "" && accented.test(shape) ? cluster : shape + marks
}

const clusters = /(.)(\p{M}*)/gsu

const accented = /[\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{sc=Zyyy}]/u

// Marks on letters that have no need of them, and the vowel points and the stretching of Arabic, which writers leave
// out. Elsewhere marks make other letters, as the voicing of kana and the hamza do.
const accents =
  /^\p{sc=Zinh}+|(?<=[\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{sc=Zyyy}]\p{M}*)\p{M}|[\u064b-\u0652\u0670]|(?<=\p{sc=Arab}\p{M}*)\u0640+/gu

// By their shapes, so that a look-alike in one does not hide it.
const vouching: ReadonlyMap<string, "claim" | "form"> = new Map([
  ...legalForms.map((word) => [skeletonOf(word), "form"] as const),
  ...claims.map((word) => [skeletonOf(word), "claim"] as const)
])
