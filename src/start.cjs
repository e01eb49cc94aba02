// Loaded before all else by the scripts of package.json that run a process. What Node compiles after this call is kept
// for the next start, which takes two thirds of the time then; the file that is run is compiled already when it could
// make the call.
require("./requireNode.cjs")
const { enableCompileCache } = require("node:module")
const { join } = require("node:path")

enableCompileCache(join(__dirname, "..", "node_modules", ".cache", "slotkey", "compiled"))
