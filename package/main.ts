import { execFileSync } from "node:child_process"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { rolldown } from "rolldown"
import { dts } from "rolldown-plugin-dts"
import "./bundle.ts"
import { declarationIn, entryPoints } from "./entryPoints.ts"
import { replaceReadme } from "./readme.ts"

// Makes what `npm pack` puts into the package, in the folder dist: JavaScript, for Node strips no types below
// node_modules, with the files that the program reads (`bundle.ts`), and the declarations of the entry points. npm
// calls it (`prepack`).

const root = resolve(import.meta.dirname, "..")
const declared = join(root, "dist/declared")

const declare = () =>
  execFileSync(join(root, "node_modules/.bin/tsc"), ["--project", join(root, "package")], { stdio: "inherit" })

const entries = entryPoints.map(({ name }) => [name, declarationIn(declared, name)] as const)

const read = (file: string) => readFileSync(file, "utf8")

/** Declarations to which this one leads so. */
const targets = (file: string, how: RegExp): ReadonlyArray<string> =>
  [...read(file).matchAll(how)].map(([, target]) => join(dirname(file), `${target}.d.ts`))

const named = /(?:from|import\()\s*"(\.[^"]+)\.ts"/g
const exported = /^export [^;]*? from\s*"(\.[^"]+)\.ts"/gm

/** Data whose keys are types here; for others they are any. */
const data = /^import type (\w+) from "[^"]+\.json".*$/gm
const record = "declare const $1: Readonly<Record<string, string>>"

/**
 * Joins what the entry points lead to into few declarations, which are half as large. Comments stay where an entry
 * point exports from, because an editor shows them. Every class has a name to go by: declarations of programs refer to
 * services that no entry point exports (`./types/*`).
 */
const joinDeclarations = async () => {
  const described = new Set(entries.flatMap(([, file]) => [file, ...targets(file, exported)]))
  const reached = new Set(entries.map(([, file]) => file))
  const classes = new Map<string, string>()
  // A set goes on to what is added meanwhile.
  for (const file of reached) {
    for (const next of targets(file, named)) reached.add(next)
    const text = read(file).replaceAll(/"(\.[^"]+)\.ts"/g, "\"$1.d.ts\"").replaceAll(data, record)
    for (const [, name = ""] of text.matchAll(/^export declare class (\w+)/gm)) classes.set(name, file)
    writeFileSync(file, described.has(file) ? text : text.replaceAll(/^ *\/\*\*.*?\*\/\n/gms, ""))
  }
  const classNames = join(declared, "classes.d.ts")
  writeFileSync(classNames, Array.from(classes, ([name, file]) => `export { ${name} } from "${file}"\n`).join(""))

  const bundle = await rolldown({
    cwd: root,
    input: { ...Object.fromEntries(entries), classes: classNames },
    external: (id) => /^[^./]/.test(id),
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false, generator: "oxc" })]
  })
  await bundle.write({ dir: join(root, "dist/types"), entryFileNames: "[name].ts", chunkFileNames: "[name].ts" })
  rmSync(declared, { recursive: true })
  // Bundler's own helper, to which no declaration leads.
  rmSync(join(root, "dist/types/rolldown-runtime.ts"))
}

declare()
await joinDeclarations()
replaceReadme()
