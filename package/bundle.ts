import { cpSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { rolldown } from "rolldown"

// Makes the program as JavaScript, in the folder dist, for the package and for the image of the Dockerfile. Modules are
// joined into few files, which load in a third of the time.

const root = resolve(import.meta.dirname, "..")
const dist = join(root, "dist")

/** Files that are run or imported from outside, by their names in dist. */
const entries = {
  index: "src/index.ts",
  client: "src/client.ts",
  resource: "src/resource.ts",
  testing: "src/testing.ts",
  cli: "src/cli.ts",
  main: "src/main.ts",
  "workers/index": "workers/index.ts",
  "workers/main": "workers/main.ts",
  EmbeddedThread: "src/foundation/database/embedded/EmbeddedThread.ts",
  ExaminationThread: "src/core/accounts/local/ExaminationThread.ts"
}

/**
 * What the program reads beside its code, as seen from the file that reads it: dist has no folders of its own for
 * those. The image of an empty database is not among them, because it is larger than all the rest together.
 */
const assets = {
  assets: "src/foundation/web/assets",
  languages: "src/foundation/messages/languages",
  recipes: "src/doors/portal/recipes",
  "Confusables.LICENSE.txt": "src/domain/names/Confusables.LICENSE.txt",
  "jsonc-parser.LICENSE.md": "node_modules/jsonc-parser/LICENSE.md",
  "bin.cjs": "src/bin.cjs",
  "requireNode.cjs": "src/requireNode.cjs",
  "start.cjs": "src/start.cjs"
}

const bundle = async () => {
  const bundle = await rolldown({
    cwd: root,
    input: entries,
    platform: "node",
    // The bundler's own helpers are no dependency of the package. The parser of catalogues comes along, as modules: a
    // program that bundles what it offers Node does not run.
    resolve: { mainFields: ["module", "main"] },
    external: (id) => /^[^./]/.test(id) && id !== "jsonc-parser" && !id.startsWith("@oxc-project/")
  })
  await bundle.write({
    dir: dist,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    // Errors, spans and services carry their names as texts, so those of variables can go: they are a tenth of the
    // package.
    minify: true,
    comments: { annotation: false, jsdoc: false, legal: false }
  })
}

rmSync(dist, { recursive: true, force: true })
await bundle()
for (const [name, source] of Object.entries(assets)) cpSync(join(root, source), join(dist, name), { recursive: true })
