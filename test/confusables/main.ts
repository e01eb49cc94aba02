import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type LookAlikes, lookAlikes, parse } from "./LookAlikes.ts"

/**
 * Makes `src/domain/names/Confusables.ts` from the file confusables.txt of Unicode's security mechanisms (UTS #39),
 * which https://www.unicode.org/Public/security/ has for each version and the sources of ICU contain: `npm run
 * confusables -- FILE`. Take the Unicode version of Node (`node -p process.versions.unicode`), whose case and
 * decompositions the table relies on, and let `skeletonRules` of `src/domain/names/Skeleton.ts` grow with a new table.
 */
const makeTable = Effect.gen(function*() {
  const text = readFileSync(process.argv[2] ?? "confusables.txt", "utf8")
  const { rows, version } = parse(text)
  const tables = lookAlikes(rows)
  writeFileSync(target, source(version, tables))
  const sizes = `${tables.byShape.size} by shape, ${tables.byCase.size} by case, ${tables.marked.size} but for a mark`
  yield* Console.log(`${target}: of ${rows.length} look-alikes of Unicode ${version} ${sizes}`)
})

const target = fileURLToPath(new URL("../../src/domain/names/Confusables.ts", import.meta.url))

const source = (version: string, { byCase, byShape, marked }: LookAlikes): string =>
  `// Made by test/confusables/main.ts from confusables.txt of Unicode ${version}, © Unicode, Inc. under the licence in
// Confusables.LICENSE.txt (SPDX: Unicode-3.0). Do not edit.

/**
 * A line for each shape, in the letters of \`Skeleton\`, and the characters that have it, as hexadecimal code points.
 */
const table = (lines: string): ReadonlyMap<string, string> =>
  new Map(
    lines.trim().split("\\n").flatMap((line) => {
      const [shape = "", ...characters] = line.split(" ")
      return characters.map((hex) => [String.fromCodePoint(Number.parseInt(hex, 16)), shape] as const)
    })
  )

/** Characters that look like others as they are written. */
export const byShape = table(\`
${linesOf(byShape)}
\`)

/** Small letters that look like Latin letters as capitals do. */
export const byCase = table(\`
${linesOf(byCase)}
\`)

/** Greek and Cyrillic small letters that only a mark tells from Latin ones. */
export const marked = table(\`
${linesOf(marked)}
\`)
`

const linesOf = (table: ReadonlyMap<string, string>): string =>
  [...Map.groupBy(table, ([, shape]) => shape)]
    .map(([shape, entries]) => `${shape} ${entries.map(([it]) => hex(it)).join(" ")}`)
    .sort().flatMap(wrapped).join("\n")

const hex = (character: string): string => (character.codePointAt(0) ?? 0).toString(16)

/** A long line as several with the same head. */
const wrapped = (line: string): ReadonlyArray<string> => {
  const [head = "", ...words] = line.split(" ")
  return words.reduce<ReadonlyArray<string>>((lines, word) => {
    const last = lines.at(-1)
    return last === undefined || last.length + word.length >= 118
      ? [...lines, `${head} ${word}`]
      : [...lines.slice(0, -1), `${last} ${word}`]
  }, [])
}

NodeRuntime.runMain(makeTable)
