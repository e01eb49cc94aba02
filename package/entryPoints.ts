import manifest from "../package.json" with { type: "json" }

/** What programs import, each by its path in `exports`, with its declarations. `./types/*` is there for other declarations alone. */
export const entryPoints = Object.entries(manifest.exports).flatMap(([path, { types }]) =>
  path.includes("*") ? [] : [{ path, types, specifier: path.replace(/^\./, manifest.name) }]
)
