import { assert } from "@effect/vitest"
import { readFileSync, writeFileSync } from "node:fs"

type Row = ReadonlyArray<string>

/** Asserts that a table in a document equals the list in the code that it shows, as `assertPart` does. */
export const assertTable = (document: string, name: string, header: Row, rows: ReadonlyArray<Row>): void =>
  assertPart(document, name, tableOf(header, rows))

/**
 * Asserts that a part of a document is the text that the code gives it. The part is what stands between the lines
 * `<!-- name -->` and `<!-- /name -->`; with `UPDATE_DOCS=1` it is written instead.
 */
export const assertPart = (document: string, name: string, part: string): void => {
  const file = new URL(`../../${document}`, import.meta.url)
  const text = readFileSync(file, "utf8")
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  assert.include(text, start)
  const current = text.replace(new RegExp(`${start}[\\s\\S]*${end}`), () => `${start}\n${part}\n${end}`)
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, current)
  else assert.strictEqual(text, current)
}

/** A table in Markdown. */
export const tableOf = (header: Row, rows: ReadonlyArray<Row>): string =>
  [header, header.map(() => "---"), ...rows].map((cells, i) =>
    i === 1 ? `|${cells.join("|")}|` : `| ${cells.join(" | ")} |`
  ).join("\n")
