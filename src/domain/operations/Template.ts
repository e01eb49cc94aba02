import { foldSegment, includesSegment, keyOf, matches, meetSegments, parseSegment, type Segment } from "./Segment.ts"

/** Form of paths, whether or not a slash is at their end. */
export interface Shape {
  readonly segments: ReadonlyArray<Segment>
  /** One or more segments of any text follow. */
  readonly tail: boolean
}

/** Form of a listed path. */
export interface Template extends Shape {
  /** Paths of the operation end in a slash; without it they are others. */
  readonly slash: boolean
}

/** Reads a path such as `/v2/teams/{teamId}`; for a malformed one it answers the fault as a text. */
export const parseTemplate = (path: string, isCaseExact = false): Template | string => {
  const fault = (text: string) => `the path "${path}" ${text}`
  if (!path.startsWith("/")) return fault("must start with a slash")
  const texts = path.slice(1).split("/")
  const slash = texts.at(-1) === ""
  if (slash) texts.pop()
  const segments: Array<Segment> = []
  const names = new Set<string>()
  let tail = false
  for (const text of texts) {
    const parsed = parseSegment(text, isCaseExact)
    if (typeof parsed === "string") return fault(parsed)
    if (tail) return fault(`has a segment "${text}" behind one that matches all that follow`)
    const { isTail, name, segment } = parsed
    if (name !== undefined && names.has(name)) return fault(`has two parameters "${name}"`)
    if (name !== undefined) names.add(name)
    if (isTail) tail = true
    else segments.push(segment)
  }
  return { segments, tail, slash }
}

/** Two shapes with the same key match the same paths. */
export const key = ({ segments, tail }: Shape): string => [...segments.map(keyOf), ...(tail ? ["{+}"] : [])].join("/")

/** Shape of the paths that both match, their meeting; `undefined` when there are none. */
export const meet = (one: Shape, other: Shape): Shape | undefined => {
  const [long, short] = one.segments.length >= other.segments.length ? [one, other] : [other, one]
  if (!reaches(short, long)) return undefined
  const segments: Array<Segment> = []
  for (const [index, segment] of long.segments.entries()) {
    const opposite = short.segments[index]
    const both = opposite === undefined ? segment : meetSegments(segment, opposite)
    if (both === undefined) return undefined
    segments.push(both)
  }
  return { segments, tail: one.tail && other.tail }
}

/** Tests if `one` matches every path that `other` matches. */
export const includes = (one: Shape, other: Shape): boolean =>
  reaches(one, other) && one.segments.every((segment, index) => {
    const opposite = other.segments[index]
    return opposite !== undefined && includesSegment(segment, opposite)
  })

/** Same shape as a router reads it that ignores case. */
export const fold = ({ segments, tail }: Shape): Shape => ({ segments: segments.map(foldSegment), tail })

/** Tests if a shape matches a path that has the right number of segments. */
export const matchesAll = ({ segments }: Shape, path: ReadonlyArray<string>): boolean => {
  for (let index = 0; index < segments.length; index++) {
    const [segment, text] = [segments[index], path[index]]
    if (segment === undefined || text === undefined || !matches(segment, text)) return false
  }
  return true
}

/** Tests if paths of `short` can have as many segments as those of `long`. */
const reaches = (short: Shape, long: Shape): boolean =>
  short.tail
    ? short.segments.length < long.segments.length || long.tail && short.segments.length === long.segments.length
    : !long.tail && short.segments.length === long.segments.length
