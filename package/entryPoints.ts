import { join } from "node:path"
import manifest from "../package.json" with { type: "json" }

/**
 * What programs import: the path in `exports`, and the name of its files in dist. `./types/*` is there for declarations
 * alone, and a file that is no program for editors.
 */
export const entryPoints = Object.entries(manifest.exports).flatMap(([path, file]) =>
  typeof file === "string" || path.includes("*")
    ? []
    : [{
      specifier: path.replace(/^\./, manifest.name),
      name: file.types.replace(/^\.\/dist\/types\/|\.d\.ts$/g, ""),
      types: file.types
    }]
)

/** Declaration of an entry point as the compiler has made it in a folder, before declarations are joined. */
export const declarationIn = (folder: string, name: string): string =>
  join(folder, name.startsWith("workers/") ? "" : "src", `${name}.d.ts`)
