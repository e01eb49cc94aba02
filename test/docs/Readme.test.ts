import { assert, describe, it } from "@effect/vitest"
import { readFileSync, writeFileSync } from "node:fs"
import { settings } from "../../src/foundation/config/Settings.ts"

const file = new URL("../../README.md", import.meta.url)
const table = [
  "| setting | unit | default | meaning |",
  "|---|---|---|---|",
  ...settings.map((s) => `| \`${s.name}\` | ${s.unit} | ${s.default} | ${s.meaning} |`)
].join("\n")

describe("README", () => {
  it("lists every setting with unit, default and meaning (UPDATE_DOCS=1 writes the table)", () => {
    const readme = readFileSync(file, "utf8")
    const current = readme.replace(
      /<!-- settings -->[\s\S]*<!-- \/settings -->/,
      () => `<!-- settings -->\n${table}\n<!-- /settings -->`
    )
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, current)
    else assert.strictEqual(readme, current)
  })
})
