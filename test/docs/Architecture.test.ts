import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

describe("docs/architecture.md", () => {
  it("lists every room in the order of .oxlintrc.json", () => {
    const listed = [...read("docs/architecture.md").matchAll(/^\| `((?:src|workers)[\w/]*)` \|/gm)].map(([, room]) =>
      room
    )
    const { overrides } = JSON.parse(read(".oxlintrc.json"))
    const [, { rooms }] = overrides[0].rules["house/storeys"]
    assert.deepStrictEqual(listed, rooms)
  })
})
