import { assert } from "@effect/vitest"
import { readFileSync, writeFileSync } from "node:fs"

/**
 * Asserts that a table in a document equals the list in the code that it shows. The table is the lines between
 * `<!-- name -->` and `<!-- /name -->`; with `UPDATE_DOCS=1` it is written instead.
 */
export const assertTable = (
  document: string,
  name: string,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): void => {
  const file = new URL(`../../${document}`, import.meta.url)
  const table = [header, header.map(() => "---"), ...rows].map((cells, i) =>
    i === 1 ? `|${cells.join("|")}|` : `| ${cells.join(" | ")} |`
  ).join("\n")
  const text = readFileSync(file, "utf8")
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  assert.include(text, start)
  const current = text.replace(
    new RegExp(`${start}[\\s\\S]*${end}`),
    () => `${start}\n${table}\n${end}`
  )
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, current)
  else assert.strictEqual(text, current)
}
