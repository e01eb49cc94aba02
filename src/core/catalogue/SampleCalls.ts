import type { Endpoint } from "../../domain/operations/EndpointList.ts"
import { closure } from "../../domain/operations/Meetings.ts"
import type { Segment } from "../../domain/operations/Segment.ts"
import { fold, type Shape } from "../../domain/operations/Template.ts"

/** A call, as it stands for all of its form. */
export interface SampleCall {
  readonly method: string
  readonly path: string
}

/**
 * Calls of each form that two lists tell apart: those of their operations, and those on which several of them meet, as
 * they are written and as a router reads them that ignores case. What other spellings of a path are refused for does
 * not count: they open nothing that a listed one keeps closed. `undefined` if the lists meet on too many paths.
 */
export const sampleCalls = (
  one: ReadonlyArray<Endpoint>,
  other: ReadonlyArray<Endpoint>
): ReadonlyArray<SampleCall> | undefined => {
  const calls: Array<SampleCall> = []
  for (const [method, listed] of Map.groupBy([...one, ...other], ({ method }) => method)) {
    const shapes = closure(listed.flatMap(({ template }) => [template, fold(template)]))
    if (shapes === undefined) return undefined
    const ends = listed.some(({ template }) => template.slash) ? ["", "/"] : [""]
    const longest = Math.max(...[...shapes.values()].map(({ segments }) => segments.length))
    for (const shape of shapes.values()) {
      for (const path of pathsOf(shape, longest)) for (const end of ends) calls.push({ method, path: path + end })
    }
  }
  return calls
}

/** Paths of a shape, among them one that no more specific shape has as well. */
const pathsOf = ({ segments, tail }: Shape, longest: number): ReadonlyArray<string> => {
  const begins = segments.map(textsOf).reduce<ReadonlyArray<string>>(
    (paths, texts) => paths.flatMap((path) => texts.map((text) => `${path}/${text}`)),
    [""]
  )
  // One segment more than any list has is only what a last `{path+}` matches.
  const tails = tail
    ? Array.from({ length: longest - segments.length + 1 }, (_, more) => `/${filler}`.repeat(more + 1))
    : [""]
  return begins.flatMap((begin) => tails.map((end) => begin + end)).map((path) => path === "" ? "/" : path)
}

/**
 * Texts of a segment: all in which beginning and end overlap, which are few, and one with other text between. Of a
 * whole parameter that is the one.
 */
const textsOf = (segment: Segment): ReadonlyArray<string> => {
  if (typeof segment === "string") return [segment]
  const { least, prefix, suffix } = segment
  const texts = [`${prefix}${filler}${suffix}`]
  for (let length = least; length <= prefix.length + suffix.length; length++) {
    const text = prefix + suffix.slice(prefix.length + suffix.length - length)
    if (text.endsWith(suffix)) texts.push(text)
  }
  return texts
}

/** A text that no list has: literals of one have no exclamation mark. */
const filler = "!"
