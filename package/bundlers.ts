import { join } from "node:path"
import manifest from "../package.json" with { type: "json" }
import { run } from "./program.ts"

// Bundlers that the check of the package tries, each with what its documentation says of programs for Node.

export interface Bundler {
  readonly name: string
  /** Bundles a file of a team with all that it imports; the file that runs. */
  readonly bundle: (cwd: string, file: string, out: string) => Promise<string>
}

/** What a team installs for them. */
export const packages = ["esbuild@0.28.2", `rolldown@${manifest.devDependencies.rolldown}`, "webpack@5.113.0"]

const esbuild = (format: string, extension: string): Bundler => ({
  name: `esbuild (${format})`,
  bundle: async (cwd, file, out) => {
    const bundle = join(out, `bundle.${extension}`)
    const options = ["--bundle", "--platform=node", `--format=${format}`, "--log-level=error", `--outfile=${bundle}`]
    await run({ cwd, command: join(cwd, "node_modules/.bin/esbuild"), args: [file, ...options] })
    return bundle
  }
})

const rolldown: Bundler = {
  name: "rolldown",
  bundle: async (cwd, file, out) => {
    const bundle = join(out, "bundle.mjs")
    const options = ["--input", file, "--file", bundle, "--platform", "node", "--format", "esm"]
    await run({ cwd, command: process.execPath, args: ["node_modules/rolldown/bin/cli.mjs", ...options] })
    return bundle
  }
}

const webpack: Bundler = {
  name: "webpack",
  bundle: async (cwd, file, out) => {
    const configuration = {
      context: cwd,
      entry: `./${file}`,
      mode: "production",
      target: "node",
      output: { path: out, filename: "bundle.cjs" }
    }
    const script = `
      import webpack from "webpack"
      webpack(${JSON.stringify(configuration)}, (error, stats) => {
        if (error) throw error
        if (stats.hasErrors()) throw new Error(stats.toString({ colors: false }))
      })`
    await run({ cwd, command: process.execPath, args: ["--input-type=module", "--eval", script] })
    return join(out, "bundle.cjs")
  }
}

export const all: ReadonlyArray<Bundler> = [esbuild("esm", "mjs"), esbuild("cjs", "cjs"), rolldown, webpack]
