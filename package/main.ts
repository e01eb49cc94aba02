import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, normalize, resolve } from "node:path"
import "./bundle.ts"
import { entryPoints } from "./entryPoints.ts"

// Makes what `npm pack` puts into the package, in the folder dist: JavaScript, for Node strips no types below node_modules,
// with the files that the program reads (`bundle.ts`), and the declarations of the entry points. npm calls it (`prepack`).

const root = resolve(import.meta.dirname, "..")
const dist = join(root, "dist")

const declare = () =>
  execFileSync(join(root, "node_modules/.bin/tsc"), ["--project", join(root, "package")], { stdio: "inherit" })

/**
 * Deletes the declarations that no entry point leads to. Comments stay in those of an entry point and in those that it
 * exports from, because an editor shows them; in the others, which only types lead to, nobody reads them.
 */
const pruneDeclarations = () => {
  const depths = new Map(entryPoints.map(({ types }) => [join(root, types), 0]))
  // A map goes on to what is added meanwhile: the nearest files come first.
  for (const [file, depth] of depths) {
    const text = readFileSync(file, "utf8")
    if (depth > 1) writeFileSync(file, text.replaceAll(/^ *\/\*\*.*?\*\/\n/gms, ""))
    for (const [, target = ""] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+\.[jt]s)"/g)) {
      const next = normalize(join(dirname(file), target.replace(/\.[jt]s$/, ".d.ts")))
      if (!depths.has(next)) depths.set(next, depth + 1)
    }
  }
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".d.ts") && !depths.has(join(dist, file))) rmSync(join(dist, file))
  }
}

declare()
pruneDeclarations()
