import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

const rooms: Array<string> = JSON.parse(read(".oxlintrc.json")).overrides[0].rules["house/storeys"][1].rooms

describe("docs/architecture.md", () => {
  it("lists every room in the order of .oxlintrc.json", () => {
    const listed = [...read("docs/architecture.md").matchAll(/^\| `((?:src|workers)[\w/]*)` \|/gm)].map(([, room]) =>
      room
    )
    assert.deepStrictEqual(listed, rooms)
  })

  it.each(["doors", "core", "foundation"])("draws the rooms of %s in that order", (storey) => {
    const [, drawn = ""] =
      new RegExp(`subgraph ${storey}\\[.*\\n.*direction LR\\n(.*)\\n`).exec(read("docs/architecture.md")) ?? []
    // A room whose name is long or stands for something else already has an id beside its name.
    const names = drawn.trim().split(" --> ").map((node) => /\["(.*)"\]/.exec(node)?.[1] ?? node)
    assert.deepStrictEqual(
      names.map((name) => `src/${storey}/${name}`),
      rooms.filter((room) => room.startsWith(`src/${storey}/`))
    )
  })
})
