import { Result } from "effect"
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode
} from "jsonc-parser"
import { type Finding, type LineOf, located, type Place, type Problem } from "./FileProblem.ts"

type Read<A> = Result.Result<A, ReadonlyArray<Problem>>

/** Value in a file, and the lines of its parts. */
export interface JsonFile {
  readonly value: unknown
  readonly lineOf: LineOf
}

/** Reads JSON in UTF-8, in which comments are allowed, of at most so many bytes. */
export const read = (bytes: Uint8Array, most: number): Read<JsonFile> => Result.flatMap(decodeText(bytes, most), parse)

const decodeText = (bytes: Uint8Array, most: number): Read<string> => {
  if (bytes.length > most) return whole(`The file has more than ${most} bytes.`)
  // Every other byte of most texts in UTF-16 is zero, which no such file has.
  if (bytes.includes(0)) return whole("The file is not in UTF-8: convert it, as with `iconv -f utf-16 -t utf-8`.")
  const text = Result.try(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  if (Result.isFailure(text)) return whole("The file is not in UTF-8: convert it, as with `iconv -f latin1 -t utf-8`.")
  return text.success.trim() === "" ? whole("The file is empty.") : Result.succeed(text.success)
}

const whole = (problem: string) => Result.fail([{ place: "", problem }])

const parse = (text: string): Read<JsonFile> => {
  const lineAt = lines(text)
  // Functions that follow a tree call themselves: an array in an array in an array… exhausts the stack.
  const parsed = Result.try(() => {
    const errors: Array<ParseError> = []
    const tree = parseTree(text, errors)
    return tree === undefined || errors.length > 0
      ? { tree: undefined, errors }
      : { tree, value: getNodeValue(tree), twice: repeatedKeys(tree, []) }
  })
  if (Result.isFailure(parsed)) return whole("The file is nested too deeply.")
  if (parsed.success.tree === undefined) {
    return Result.fail(parsed.success.errors.map(({ error, offset }) => ({
      line: lineAt(offset),
      place: "",
      problem: `is not JSON: ${inWords(printParseErrorCode(error))}`
    })))
  }
  const { tree, twice, value } = parsed.success
  const lineOf = lineOfPlace(tree, lineAt)
  if (twice.length > 0) return Result.fail(twice.map((finding) => located(finding, lineOf)))
  return Result.succeed({ value, lineOf })
}

/** `CommaExpected` as a sentence has it. */
const inWords = (code: string): string => code.replaceAll(/(?<!^)([A-Z])/g, " $1").toLowerCase()

/** Keys that come twice in an object, of which JSON keeps the last. */
const repeatedKeys = (node: Node, place: Place): ReadonlyArray<Finding> => {
  const { children = [], type } = node
  if (type === "array") return children.flatMap((child, at) => repeatedKeys(child, [...place, at]))
  const seen = new Set<string>()
  return type !== "object" ? [] : children.flatMap(({ children: [key, value] = [] }) => {
    const name = String(key?.value)
    const again = seen.has(name) ? [{ place: [...place, name], problem: "comes twice" }] : []
    seen.add(name)
    return [...again, ...(value === undefined ? [] : repeatedKeys(value, [...place, name]))]
  })
}

/** Line of a value, or of what it is missing in. */
const lineOfPlace = (tree: Node, lineAt: (offset: number) => number): LineOf => (place) => {
  for (let length = place.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, place.slice(0, length))
    if (node !== undefined) return lineAt(node.offset)
  }
  return lineAt(tree.offset)
}

/** Line of a position, the first being 1. */
const lines = (text: string): (offset: number) => number => {
  const ends = Array.from(text.matchAll(/\r\n|\r|\n/g), ({ index }) => index)
  return (offset) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}
