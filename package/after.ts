import { rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { restoreReadme } from "./readme.ts"

// Cleans up after `npm pack` (`postpack`).

restoreReadme()
rmSync(join(resolve(import.meta.dirname, ".."), "dist"), { recursive: true })
