// Loaded before all else by the scripts of package.json and the command of the package, and CommonJS, which any Node reads: one
// that is too old would stop at the first file that it cannot load, with an error that does not say why. The processes run on
// the release of Node that the package brings and that tests run on; the library loads in older ones, too (docs/embedding.md).
const { optionalDependencies } = require("../package.json")
const needed = Number(optionalDependencies.node.split(".")[0])
if (Number(process.versions.node.split(".")[0]) < needed) {
  process.stderr.write(
    `Slotkey needs Node ${needed}, and this is ${process.version}. Put a Node ${needed} first on your PATH; with npm, ` +
      "`npm rebuild node --ignore-scripts=false` fetches the one that it was told to leave out.\n"
  )
  process.exit(1)
}
