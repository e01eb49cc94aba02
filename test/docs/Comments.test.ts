import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../..")
const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** Citations in the files of the project, as the expression captures them, each with its file. */
const citations = (expression: RegExp): ReadonlyArray<readonly [cited: string, by: string]> =>
  globSync("{src,workers,test,bench,faults,fuzz,lint}/**/*.{ts,js}", { cwd: root }).flatMap((path) =>
    [...read(path).matchAll(expression)].map(([, cited = ""]) => [cited, path] as const)
  )

describe("a comment", () => {
  it("cites only pages that are in the repository", () => {
    const cited = citations(/\b(docs\/[\w/-]+\.md)/g)
    assert.isAbove(cited.length, 10)
    assert.deepStrictEqual(cited.filter(([page]) => !existsSync(join(root, page))), [])
  })

  it("cites only sections that the specification has", () => {
    const cited = citations(/\bspecification §(\d+(?:\.\d+)*)/g)
    assert.isAbove(cited.length, 10)
    assert.deepStrictEqual(cited.filter(([section]) => !sections.has(section)), [])
  })

  it("calls the design by its page", () => {
    assert.deepStrictEqual(citations(/\((design),/g), [])
  })
})

/** Sections of the specification: its headings, and the numbered items of a section without headings of its own. */
const sections = new Set(
  read("docs/specification.md").split(/^## (?=\d)/m).slice(1).flatMap((text) => {
    const [heading = "", ...lines] = text.split("\n")
    const number = heading.split(".", 1).join("")
    const parts = lines.flatMap((line) => /^### (\d+\.\d+) /.exec(line)?.[1] ?? [])
    const items = lines.flatMap((line) => /^(\d+)\. /.exec(line)?.[1] ?? []).map((item) => `${number}.${item}`)
    return [number, ...(parts.length > 0 ? parts : items)]
  })
)
