import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }
import { project } from "../deploy/Dockerfile.ts"

describe("The pages that install the package", () => {
  it("take it from a checkout, by its name and version, for nobody has published it", () => {
    const pages = globSync("**/*.md", { cwd: project, exclude: ["**/node_modules/**", "data/**"] })
      .map((page) => ({ page, text: readFileSync(join(project, page), "utf8") }))
    const asPublished = pages.filter(({ text }) =>
      /\b(?:npm (?:i|install|add)|pnpm add|yarn add) slotkey\b(?!-)/.test(text)
    )
    assert.deepStrictEqual(asPublished.map(({ page }) => page), [])
    const tarballs = pages.flatMap(({ text }) => text.match(/\bslotkey-\d[\w.-]*\.tgz/g) ?? [])
    assert.deepStrictEqual([...new Set(tarballs)], [`${packageJson.name}-${packageJson.version}.tgz`])
    for (const page of ["README.md", "docs/embedding.md", "docs/operations/install.md", "examples/README.md"]) {
      assert.include(pages.find((one) => one.page === page)?.text, "npm pack", page)
    }
  })
})
