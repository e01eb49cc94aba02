import { enableCompileCache } from "node:module"
import { join } from "node:path"

// What the engine has compiled is kept at the end, for the next start, which takes two thirds of the time.
enableCompileCache(join(import.meta.dirname, "..", "node_modules", ".cache", "slotkey", "compiled"))

await import("./app/Server.ts")
