import { Arbitrary, Schema } from "effect"

/** Calls similar to the given paths: parameters are filled in, then some segments are replaced or disguised. */
export const around = (paths: ReadonlyArray<string>): Arbitrary.Arbitrary<Call> =>
  Arbitrary.map(parts, (chosen) => callOf(paths, chosen))

/** Calls of the given paths of which one segment is written so that servers read the path in several ways. */
export const disguised = (paths: ReadonlyArray<string>): Arbitrary.Arbitrary<Call> =>
  Arbitrary.map(
    Arbitrary.all({ parts, trap: among(Object.values(traps)), at: index }),
    ({ at, parts, trap }) => {
      const { method, target } = callOf(paths, { ...parts, edits: [] })
      const [path = "", ...query] = target.split("?")
      const segments = path.slice(1).split("/")
      const where = at % segments.length
      segments[where] = trap(segments[where] ?? "")
      return { method, target: [`/${segments.join("/")}`, ...query].join("?") }
    }
  )

/** Lists of a few operations over a small alphabet, so that many of them overlap. */
export const list = (paths: ReadonlyArray<string>) =>
  Arbitrary.array(
    Arbitrary.map(
      Arbitrary.all({ method: among(["GET", "POST"]), path: among(paths), requirement: among(requirements) }),
      ({ method, path, requirement }) => ({ method, path, ...requirement })
    ),
    { maxLength: 6 }
  )

/** A list of operations of all forms over a small alphabet, and a call like one of them. */
export const listAndCall = () =>
  Arbitrary.map(
    Arbitrary.all({
      others: Arbitrary.array(among(forms), { minLength: 1, maxLength: 3 }),
      entries: Arbitrary.array(
        Arbitrary.all({
          method: among(["GET", "GET", "POST"]),
          segments: Arbitrary.array(index, { minLength: 1, maxLength: 3 }),
          end: among(["", "", "", "/", "/{p+}", "/{p+}/"]),
          requirement: among(requirements)
        }),
        { minLength: 1, maxLength: 6 }
      ),
      parts
    }),
    ({ entries, others, parts }) => {
      const alphabet = ["{x}", ...others]
      const list = entries.map(({ end, method, requirement, segments }) => ({
        method,
        path: segments.map((at, place) => `/${(alphabet[at % alphabet.length] ?? "").replace("{x", `{x${place}`)}`)
          .join("") + end,
        case: "exact",
        ...requirement
      }))
      return { list, call: callOf(list.map(({ path }) => path), parts) }
    }
  )

export const smallPaths: ReadonlyArray<string> = ["a", "b", "{x}"].flatMap((one) =>
  ["a", "b", "{y}"].flatMap((two) => [`/${one}`, `/${one}/${two}`, `/${one}/${two}/a`, `/${one}/${two}/{z}`])
).filter((path, at, all) => all.indexOf(path) === at)

interface Call {
  readonly method: string
  readonly target: string
}

const among = <A>(values: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: values.length - 1 }))),
    (at) => {
      const value = values[at]
      if (value === undefined) throw new Error("nothing to choose from")
      return value
    }
  )

const index = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })))

const parts = Arbitrary.all({
  method: among(["GET", "GET", "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "get", "TRACE"]),
  path: index,
  values: Arbitrary.array(index, { minLength: 12, maxLength: 12 }),
  edits: Arbitrary.array(Arbitrary.all({ at: index, edit: index, value: index }), { maxLength: 3 }),
  query: among(["", "", "?a=b", "?A=%2F..", "?"])
})

const callOf = (
  paths: ReadonlyArray<string>,
  { edits: chosen, method, path, query, values: filled }: typeof parts extends Arbitrary.Arbitrary<infer A> ? A : never
): Call => {
  const value = (at: number) => values[(filled[at % filled.length] ?? 0) % values.length] ?? ""
  const listed = paths[path % paths.length] ?? "/"
  const segments = listed.replaceAll(
    /\{([^}]*)\}/g,
    (_, name: string, at: number) => name.endsWith("+") && at % 2 === 0 ? `${value(at)}/${value(at + 1)}` : value(at)
  ).slice(1).split("/")
  const words = paths.flatMap((other) => other.split("/").slice(1))
  for (const { at, edit, value } of chosen) {
    const where = at % segments.length
    const editor = Object.values(edits)[edit % Object.keys(edits).length]
    segments[where] = editor?.(segments[where] ?? "", words[value % words.length] ?? "") ?? ""
  }
  return { method, target: `/${segments.join("/")}${query}` }
}

const requirements = [
  { access: "public" },
  { access: "closed" },
  { access: "closed", neverForApps: "billing" },
  { access: "scope", scope: "BOOKING_READ" },
  { access: "scope-if-token", scope: "BOOKING_READ" },
  { access: "scope", scope: "TEAM_BOOKING_READ" },
  { access: "scope", anyOf: ["BOOKING_READ", "TEAM_BOOKING_READ"] },
  { access: "scope-if-token", allOf: ["BOOKING_READ", "TEAM_BOOKING_READ"] }
]

/** Segments of all forms; many of them meet, and some are the same where case is ignored. */
const forms = ["a", "b", "aB", "ab", "a:b", "b.a", "{x}.a", "{x}:b", "{x}.b.a", "a{x}", "aB{x}", "A{x}a", "a{x}.a"]

const values = [
  "1",
  "a",
  "b",
  "me",
  "attendees",
  "abc-DEF_9",
  "%41",
  "x@y",
  "default",
  "%25",
  "a%20b",
  "%C3%A9",
  "options",
  "A",
  "ab",
  "b.a",
  "a:b",
  "1:b",
  "A.a",
  "a.a"
]

const edits: Readonly<Record<string, (segment: string, word: string) => string>> = {
  replace: (_, word) => word.replaceAll(/[{}]/g, ""),
  escapeFirst: (segment) => `%${segment.charCodeAt(0).toString(16)}${segment.slice(1)}`,
  escapeTwice: (segment) => `%25${segment.charCodeAt(0).toString(16)}${segment.slice(1)}`,
  upper: (segment) => segment.replaceAll(/(?<!%\w?)[a-z]/g, (letter) => letter.toUpperCase()),
  upperFirst: (segment) => segment.charAt(0).toUpperCase() + segment.slice(1),
  empty: () => "",
  dot: () => ".",
  dots: () => "..",
  encodedDots: () => "%2e%2E",
  mixedDots: () => ".%2e",
  slash: (segment, word) => `${segment}%2f${word}`,
  backslash: (segment, word) => `${segment}\\${word}`,
  encodedBackslash: (segment) => `${segment}%5c..`,
  doubled: (segment) => `${segment}/`,
  insert: (segment, word) => `${segment}/${word.replaceAll(/[{}]/g, "z")}`,
  up: (segment, word) => `${word}/../${segment}`,
  nul: (segment) => `${segment}%00`,
  newline: (segment) => `${segment}%0a`,
  parameter: (segment) => `${segment};v=1`,
  encodedParameter: (segment) => `${segment}%3Bv`,
  broken: (segment) => `${segment}%2`,
  notUtf8: (segment) => `%c0%af${segment}`,
  raw: (segment) => `${segment}é`,
  space: (segment) => `${segment} `,
  kelvin: (segment) => segment.replace("k", "%E2%84%AA"),
  fragment: (segment) => `${segment}#x`,
  suffix: (segment) => `${segment}.a`,
  verb: (segment) => `${segment}:b`,
  prefix: (segment) => `a${segment}`,
  escapeReserved: (segment) => segment.replaceAll(/[:@$()]/g, (character) => encodeURIComponent(character)),
  colon: (segment) => segment.replaceAll(":", "%3A"),
  lower: (segment) => segment.toLowerCase(),
  longS: (segment) => segment.replace("s", "%C5%BF")
}

/** Ways to write a segment that servers read differently, whatever the list. */
const traps: Readonly<Record<string, (segment: string) => string>> = {
  doubledBefore: (segment) => `/${segment}`,
  doubledBehind: (segment) => `${segment}//`,
  dot: (segment) => `./${segment}`,
  dots: (segment) => `../${segment}`,
  dotBehind: (segment) => `${segment}/.`,
  encodedDots: (segment) => `%2e%2E/${segment}`,
  mixedDots: (segment) => `${segment}/.%2e`,
  slash: (segment) => `${segment}%2Fa`,
  backslash: (segment) => `${segment}\\a`,
  encodedBackslash: (segment) => `${segment}%5ca`,
  parameter: (segment) => `${segment};v=1`,
  encodedParameter: (segment) => `${segment}%3bv`,
  escapedTwice: (segment) => `${segment}%252F`,
  nul: (segment) => `${segment}%00`,
  newline: (segment) => `${segment}%0a`,
  broken: (segment) => `${segment}%2`,
  notUtf8: (segment) => `${segment}%c0%af`,
  raw: (segment) => `${segment}é`,
  space: (segment) => `${segment} `,
  fragment: (segment) => `${segment}#x`
}
