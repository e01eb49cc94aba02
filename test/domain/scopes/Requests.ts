import { Arbitrary, Schema } from "effect"

/** Calls similar to the given paths: parameters are filled in, then some segments are replaced or disguised. */
export const around = (paths: ReadonlyArray<string>): Arbitrary.Arbitrary<{ method: string; target: string }> =>
  Arbitrary.map(
    Arbitrary.all({
      method: among(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "get", "TRACE"]),
      path: among(paths),
      values: Arbitrary.array(among(values), { minLength: 12, maxLength: 12 }),
      edits: Arbitrary.array(Arbitrary.all({ at: index, edit: among(Object.keys(edits)), value: index }), {
        maxLength: 3
      }),
      query: among(["", "", "?a=b", "?A=%2F..", "?"])
    }),
    ({ edits: chosen, method, path, query, values: filled }) => {
      const segments = path.split("/").slice(1).map((segment, at) =>
        segment.startsWith("{") ? filled[at] ?? "" : segment
      )
      const words = paths.flatMap((other) => other.split("/").slice(1))
      for (const { at, edit, value } of chosen) {
        const where = at % segments.length
        segments[where] = edits[edit]?.(segments[where] ?? "", words[value % words.length] ?? "") ?? ""
      }
      return { method, target: `/${segments.join("/")}${query}` }
    }
  )

/** Lists of a few operations over a small alphabet, so that many of them overlap. */
export const list = (paths: ReadonlyArray<string>) =>
  Arbitrary.array(
    Arbitrary.map(
      Arbitrary.all({
        method: among(["GET", "POST"]),
        path: among(paths),
        requirement: among([
          { access: "public" },
          { access: "closed" },
          { access: "closed", neverForApps: "billing" },
          { access: "scope", scope: "BOOKING_READ" },
          { access: "scope-if-token", scope: "BOOKING_READ" },
          { access: "scope", scope: "TEAM_BOOKING_READ" }
        ])
      }),
      ({ method, path, requirement }) => ({ method, path, ...requirement })
    ),
    { maxLength: 6 }
  )

export const smallPaths: ReadonlyArray<string> = ["a", "b", "{x}"].flatMap((one) =>
  ["a", "b", "{y}"].flatMap((two) => [`/${one}`, `/${one}/${two}`, `/${one}/${two}/a`, `/${one}/${two}/{z}`])
).filter((path, at, all) => all.indexOf(path) === at)

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
  "options"
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
  fragment: (segment) => `${segment}#x`
}
