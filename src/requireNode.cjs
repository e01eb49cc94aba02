// Loaded before all else by the scripts of package.json, and CommonJS, which any Node reads: one that is too old would stop
// at the first file of TypeScript, with an error that does not say why.
const { engines } = require("../package.json")
const needed = Number(engines.node.replace(">=", ""))
if (Number(process.versions.node.split(".")[0]) < needed) {
  process.stderr.write(
    `Slotkey needs Node ${needed}, and this is ${process.version}. Run \`npm rebuild node --ignore-scripts=false\`, which fetches ` +
      `the one that npm was told to leave out, or put a Node ${needed} first on your PATH.\n`
  )
  process.exit(1)
}
