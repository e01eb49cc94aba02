import { execFileSync } from "node:child_process"
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, normalize, resolve } from "node:path"
import { rolldown } from "rolldown"
import manifest from "../package.json" with { type: "json" }

// Makes what `npm pack` puts into the package, in the folder dist: JavaScript, for Node strips no types below node_modules,
// the declarations of the entry points, and the files that the program reads. npm calls it (`prepack`). Modules are joined
// into few files, which load in a third of the time.

const root = resolve(import.meta.dirname, "..")
const dist = join(root, "dist")

/** The files that are run or imported from outside, by their names in dist. */
const entries = {
  index: "src/index.ts",
  client: "src/client.ts",
  resource: "src/resource.ts",
  testing: "src/testing.ts",
  cli: "src/cli.ts",
  main: "src/main.ts",
  "workers/index": "workers/index.ts",
  "workers/main": "workers/main.ts",
  EmbeddedThread: "src/foundation/database/EmbeddedThread.ts",
  SigningThread: "src/core/keys/SigningThread.ts"
}

/**
 * What the program reads beside its code, as seen from the file that reads it: dist has no folders of its own for those.
 * The image of an empty database is not among them, because it is larger than all the rest together.
 */
const assets = {
  assets: "src/foundation/web/assets",
  recipes: "src/doors/portal/recipes",
  "endpoints.json": "src/domain/scopes/endpoints.json",
  "Confusables.LICENSE.txt": "src/domain/Confusables.LICENSE.txt",
  "bin.cjs": "src/bin.cjs",
  "requireNode.cjs": "src/requireNode.cjs",
  "start.cjs": "src/start.cjs"
}

const bundle = async () => {
  const bundle = await rolldown({
    cwd: root,
    input: entries,
    platform: "node",
    // The bundler's own helpers are no dependency of the package.
    external: (id) => /^[^./]/.test(id) && !id.startsWith("@oxc-project/")
  })
  await bundle.write({
    dir: dist,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    // Errors, spans and services carry their names as texts, so those of variables can go: they are a tenth of the package.
    minify: true,
    comments: { annotation: false, jsdoc: false, legal: false }
  })
}

const declare = () =>
  execFileSync(join(root, "node_modules/.bin/tsc"), ["--project", join(root, "package")], { stdio: "inherit" })

/**
 * Deletes the declarations that no entry point leads to. Comments stay in those of an entry point and in those that it
 * exports from, because an editor shows them; in the others, which only types lead to, nobody reads them.
 */
const pruneDeclarations = () => {
  const depths = new Map(Object.values(manifest.exports).map(({ types }) => [join(root, types), 0]))
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

rmSync(dist, { recursive: true, force: true })
await bundle()
declare()
pruneDeclarations()
for (const [name, source] of Object.entries(assets)) cpSync(join(root, source), join(dist, name), { recursive: true })
