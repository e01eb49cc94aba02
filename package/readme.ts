import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import manifest from "../package.json" with { type: "json" }

// npm packs the README of the repository's root, which is about the repository. While it packs, `package/README.md`
// stands in its place, with links that lead somewhere from a package, too: to `homepage` of package.json.

const root = resolve(import.meta.dirname, "..")
const readme = join(root, "README.md")
const kept = join(root, "node_modules/.cache/slotkey/README.md")

/** Puts the README of the package into its place. */
export const replaceReadme = () => {
  restoreReadme()
  mkdirSync(dirname(kept), { recursive: true })
  copyFileSync(readme, kept)
  const text = readFileSync(join(import.meta.dirname, "README.md"), "utf8")
  writeFileSync(readme, text.replaceAll("](../", `](${manifest.homepage}/`))
}

/** Puts the README of the repository back. */
export const restoreReadme = () => {
  if (!existsSync(kept)) return
  copyFileSync(kept, readme)
  rmSync(kept)
}
