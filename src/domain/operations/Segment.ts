/** Form of one segment of a listed path: a literal, or all texts of a parameter with what stands around it. */
export type Segment = string | Parameter

/** Texts that begin with the prefix, end in the suffix, and have at least so many characters; the two may overlap. */
export interface Parameter {
  readonly prefix: string
  readonly suffix: string
  readonly least: number
}

/** Parameter that is a whole segment. */
export const isWhole = (segment: Segment): boolean =>
  typeof segment !== "string" && segment.prefix === "" && segment.suffix === "" && segment.least === 1

/** Two segments with the same key match the same texts. */
export const keyOf = (segment: Segment): string => {
  if (typeof segment === "string") return segment
  const { least, prefix, suffix } = segment
  return `${prefix}{${least === prefix.length + suffix.length + 1 ? "" : least}}${suffix}`
}

/** Texts that both match; `undefined` when there are none. */
export const meetSegments = (one: Segment, other: Segment): Segment | undefined => {
  if (typeof one === "string") return matches(other, one) ? one : undefined
  if (typeof other === "string") return matches(one, other) ? other : undefined
  const [prefix, suffix] = [longer(one.prefix, other.prefix), longer(one.suffix, other.suffix)]
  return prefix.startsWith(one.prefix) && prefix.startsWith(other.prefix) &&
      suffix.endsWith(one.suffix) && suffix.endsWith(other.suffix)
    ? { prefix, suffix, least: leastOf(prefix, suffix, Math.max(one.least, other.least)) }
    : undefined
}

/** Tests if `one` matches every text that `other` matches. */
export const includesSegment = (one: Segment, other: Segment): boolean =>
  typeof one === "string"
    ? one === other
    : typeof other === "string"
    ? matches(one, other)
    : other.prefix.startsWith(one.prefix) && other.suffix.endsWith(one.suffix) && other.least >= one.least

/** Same segment as a router reads it that ignores case. */
export const foldSegment = (segment: Segment): Segment =>
  typeof segment === "string"
    ? segment.toLowerCase()
    : { ...segment, prefix: segment.prefix.toLowerCase(), suffix: segment.suffix.toLowerCase() }

/** Tests if the text of a segment is one of its texts. */
export const matches = (segment: Segment, text: string): boolean =>
  typeof segment === "string"
    ? segment === text
    : isWhole(segment) ||
      text.length >= segment.least && text.startsWith(segment.prefix) && text.endsWith(segment.suffix)

const longer = (one: string, other: string): string => one.length >= other.length ? one : other

/** Least length, of at least so many characters, of a text with both ends: equal texts then have equal numbers. */
const leastOf = (prefix: string, suffix: string, least: number): number => {
  const overlap = prefix.length + suffix.length - least
  return overlap <= 0 || prefix.endsWith(suffix.slice(0, overlap)) ? least : leastOf(prefix, suffix, least + 1)
}

/** A segment as it is listed, with the name of its parameter. */
export interface ListedSegment {
  readonly segment: Segment
  readonly name: string | undefined
  /** `{path+}`: this segment and all behind it. */
  readonly isTail: boolean
}

/** Reads a segment such as `bookings`, `{id}` and `{id}.json`; for a malformed one it answers the fault as a text. */
export const parseSegment = (text: string, isCaseExact: boolean): ListedSegment | string => {
  if (text === "") return "has an empty segment"
  if (text === "." || text === "..") return `has the dot segment "${text}"`
  if (text.startsWith(":")) return `has a segment "${text}": a parameter is written "{${text.slice(1)}}"`
  const parts = form.exec(text)
  if (parts === null) return `has a segment "${text}" that is not a literal with one {parameter} at most`
  const [, prefix = "", name, plus, suffix = ""] = parts
  const literals = prefix + suffix
  if (!literalForm.test(literals)) {
    return `has a segment "${text}" with other characters than [a-z0-9._~:@$()=,'-] outside of a {parameter}`
  }
  if (!isCaseExact && /[A-Z]/.test(literals)) {
    const lower = prefix.toLowerCase() + text.slice(prefix.length, text.length - suffix.length) + suffix.toLowerCase()
    return `has upper case in "${text}": write "${lower}", or add "case": "exact" if the API tells the two apart`
  }
  if (name === undefined) return { segment: text, name, isTail: false }
  if (plus === "+" && literals !== "") return `has a segment "${text}": "{${name}+}" stands alone`
  return { segment: { prefix, suffix, least: literals.length + 1 }, name, isTail: plus === "+" }
}

const form = /^([^{}]*)(?:\{([\w-]+)(\+?)\}([^{}]*))?$/

// Characters of a segment (RFC 3986 §3.3) without those that mean something to routers: `*`, `+`, `;`, `&` and `!`.
const literalForm = /^[A-Za-z0-9._~:@$()=,'-]*$/
