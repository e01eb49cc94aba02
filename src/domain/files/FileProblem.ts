import { Schema } from "effect"
import { nearest } from "../Nearest.ts"

// This room reads the files that settings name: JSON that people write, of which all faults are found at once, each
// with its line.

/** What is wrong with a file, and where. */
export const Problem = Schema.Struct({
  /** Absent of a value that did not come from a text. */
  line: Schema.optionalKey(Schema.Int),
  /** Way to the value at fault, such as `scopes[3].implies[0]`; empty for the whole. */
  place: Schema.String,
  problem: Schema.String
})
export type Problem = typeof Problem.Type

/** Text about a file that cannot be used: a line for each fault, as far as anybody reads. */
export const unusable = (file: string, problems: ReadonlyArray<Problem>): string => {
  const more = problems.length - mostTold
  return [
    `${file} is not usable:`,
    ...problems.slice(0, mostTold).map((problem) => `  ${sentenceOf(problem)}`),
    ...(more > 0 ? [`  and ${more} more`] : [])
  ].join("\n")
}

const mostTold = 50

export const sentenceOf = ({ line, place, problem }: Problem): string => {
  const where = [line === undefined ? "" : `line ${line}`, place].filter((part) => part !== "").join(", ")
  return where === "" ? problem : `${where}: ${problem}`
}

/** Way to a value: names of fields, and positions in lists. */
export type Place = ReadonlyArray<string | number>

/** Something wrong that a rule has found, before its line is looked up. */
export interface Finding {
  readonly place: Place
  readonly problem: string
}

/** Line on which the value at a place stands, where there is a text. */
export type LineOf = (place: Place) => number | undefined

export const located = ({ place, problem }: Finding, lineOf: LineOf): Problem => {
  const line = lineOf(place)
  return { ...(line === undefined ? {} : { line }), place: written(place), problem }
}

const written = (place: Place): string =>
  place.map((step, at) =>
    typeof step === "number"
      ? `[${step}]`
      : /^[\w$]+$/.test(step)
      ? `${at === 0 ? "" : "."}${step}`
      : `[${JSON.stringify(step)}]`
  ).join("")

/**
 * Proposes the name that was probably meant. Only the first few words are compared: a file that was made for other
 * names has thousands.
 */
export const proposer = (names: Iterable<string>) => {
  const known = [...names]
  const proposals = new Map<string, string>()
  return (word: string): string => {
    const proposal = proposals.get(word)
    if (proposal !== undefined) return proposal
    if (proposals.size >= mostCompared) return ""
    const meant = nearest(word, known)
    const made = meant === undefined ? "" : ` Call it "${meant}" if that is meant.`
    proposals.set(word, made)
    return made
  }
}

const mostCompared = 100
