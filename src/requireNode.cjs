// Loaded before all else by the scripts of package.json and the command of the package, and CommonJS, which any Node
// reads: one that is too old would stop at the first file that it cannot load, with an error that does not say why. The
// processes run on the release of Node that tests run on, which npm brings into a checkout; the library loads in older
// ones, too (docs/embedding.md).
const { devDependencies } = require("../package.json")
const needed = Number(devDependencies.node.split(".")[0])
if (Number(process.versions.node.split(".")[0]) < needed) {
  process.stderr.write(
    `Slotkey needs Node ${needed}, and this is ${process.version}. Put a Node ${needed} first on your PATH; in a checkout, ` +
      "`npm ci --include=dev --ignore-scripts=false` brings one.\n"
  )
  process.exit(1)
}
