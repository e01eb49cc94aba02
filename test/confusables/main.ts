import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { lookAlikes, parse } from "./LookAlikes.ts"

/**
 * Makes `src/domain/Confusables.ts` from the file confusables.txt of Unicode's security mechanisms (UTS #39), which
 * https://www.unicode.org/Public/security/ has for each version and the sources of ICU contain:
 * `npm run confusables -- FILE`. Take the Unicode version of Node (`node -p process.versions.unicode`), whose case and
 * decompositions the table relies on, and let `skeletonRules` of `src/domain/Skeleton.ts` grow with a new table.
 */
const makeTable = Effect.gen(function*() {
  const text = readFileSync(process.argv[2] ?? "confusables.txt", "utf8")
  const { rows, version } = parse(text)
  const table = lookAlikes(rows)
  writeFileSync(target, source(version, table))
  yield* Console.log(`${target}: ${table.size} of ${rows.length} look-alikes of Unicode ${version}`)
})

const target = fileURLToPath(new URL("../../src/domain/Confusables.ts", import.meta.url))

const source = (version: string, table: ReadonlyMap<string, string>): string => {
  const bySkeleton = Map.groupBy(table, ([, skeleton]) => skeleton)
  const lines = [...bySkeleton].map(([skeleton, entries]) => `${skeleton} ${entries.map(([it]) => hex(it)).join(" ")}`)
  return `// Made by test/confusables/main.ts from confusables.txt of Unicode ${version}, © Unicode, Inc. under the licence in
// Confusables.LICENSE.txt (SPDX: Unicode-3.0). Do not edit.

/** A line for each skeleton: what it is, and the characters that are drawn like it, as hexadecimal code points. */
const lines = \`
${lines.sort().flatMap(wrapped).join("\n")}
\`

/** The characters that look like others, each with what it looks like, in the letters of \`Skeleton\`. */
export const confusables: ReadonlyMap<string, string> = new Map(
  lines.trim().split("\\n").flatMap((line) => {
    const [skeleton = "", ...characters] = line.split(" ")
    return characters.map((hex) => [String.fromCodePoint(Number.parseInt(hex, 16)), skeleton] as const)
  })
)
`
}

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
