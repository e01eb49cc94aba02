import manifest from "../package.json" with { type: "json" }

/** What programs import: the path in `exports`, and the name of its files in dist. `./types/*` is there for declarations alone. */
export const entryPoints = Object.entries(manifest.exports).flatMap(([path, { types }]) =>
  path.includes("*")
    ? []
    : [{
      specifier: path.replace(/^\./, manifest.name),
      name: types.replace(/^\.\/dist\/types\/|\.d\.ts$/g, ""),
      types
    }]
)
