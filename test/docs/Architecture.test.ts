import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

const rows: Array<Array<string>> = JSON.parse(read(".oxlintrc.json")).overrides[0].rules["house/storeys"][1].rows

describe("docs/architecture.md", () => {
  it("lists every room in its row of .oxlintrc.json", () => {
    const listed: Array<Array<string>> = []
    for (
      const [, row, room = ""] of read("docs/architecture.md").matchAll(/^\| (\d+) \| `((?:src|workers)[\w/]*)` \|/gm)
    ) {
      ;(listed[Number(row) - 1] ??= []).push(room)
    }
    assert.deepStrictEqual(listed, rows)
  })

  it.each(["doors", "core", "foundation"])("draws the rows of %s", (storey) => {
    const [, drawn = ""] =
      new RegExp(`subgraph ${storey}\\[.*\\n.*direction TB\\n(.*)\\n`).exec(read("docs/architecture.md")) ?? []
    const drawnRows = [...drawn.matchAll(/\["(.*?)"\]/g)].map(([, names = ""]) => names.split(" · "))
    const prefix = `src/${storey}/`
    assert.deepStrictEqual(
      drawnRows.map((row) => row.map((name) => prefix + name)),
      rows.map((row) => row.filter((room) => room.startsWith(prefix))).filter((row) => row.length > 0)
    )
  })
})
