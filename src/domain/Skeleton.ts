import { confusables } from "./Confusables.ts"

/** Grows with each change of what a skeleton is, the table included: those kept in the database are then made again. */
export const skeletonRules = 2

/** Texts without what font, width and case add: `Ｓ`, `𝒮` and `S` are `s`, and marks stand apart from their letters. */
export const fold = (text: string): string => text.normalize("NFKD").toLowerCase().normalize("NFKD")

/** The Latin letters and digits that look like others in some case: l, I, i and 1; O, o and 0; rn and m. */
export const latin: ReadonlyMap<string, string> = new Map([["1", "l"], ["i", "l"], ["0", "o"], ["m", "rn"]])

/**
 * The shapes of a name, as UTS #39 §4 makes skeletons of identifiers, but for people: case, spaces, punctuation, accents and
 * what is drawn as nothing do not count. Two names with one skeleton in common pass for each other.
 *
 * The first skeleton is of the name as it is written. The second is of its lower case and differs only where capital and
 * small letter look like different Latin letters, as the Greek Ν and ν do.
 */
export const skeletonsOf = (name: string): ReadonlyArray<string> => [
  ...new Set([skeletonOf(name), skeletonOf(name.normalize("NFKD").toLowerCase())])
]

/** Repeated until nothing changes: removing a character may bring marks together that normalize differently. */
const skeletonOf = (name: string): string => {
  const shapes = shapesOf(name)
  return shapes === name ? name : skeletonOf(shapes)
}

const shapesOf = (name: string): string => {
  const seen = name.normalize("NFD").replaceAll(/\p{DI}/gu, "").replaceAll(separators, "")
  const shapes = Array.from(seen, shapeOf).join("")
  const read = shapes.replaceAll(/[^\p{L}\p{N}\p{M}]/gu, "").replaceAll(accents, "")
  // A name of symbols alone is what it is.
  return read === "" ? fold(name).replaceAll(/\s/gu, "") : read
}

// A bar between two words separates them; one inside a word stands for an l.
const separators = /(?<=^|\s)[\p{P}\p{Sm}\p{M}]+(?=\s|$)/gu

const shapeOf = (character: string): string =>
  confusables.get(character) ??
    Array.from(fold(character), (it) => confusables.get(it) ?? latin.get(it) ?? it).join("")

// Marks on letters that have no need of them, and those that are of no script, but not the voicing of kana, which makes
// other syllables.
const accents =
  /(?<=[\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{sc=Zyyy}]\p{M}*)\p{M}|(?![\u3099\u309a])[\p{sc=Zinh}&&\p{M}]/gv
