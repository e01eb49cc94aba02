import { enableCompileCache } from "node:module"
import { join } from "node:path"

// Keeps the compiled code for the next start, which then takes two thirds of the time.
enableCompileCache(join(import.meta.dirname, "..", "node_modules", ".cache", "slotkey", "compiled"))

const { launch } = await import("./app/Server.ts")

launch(async () => (await import("../workers/Embedded.ts")).Embedded)
