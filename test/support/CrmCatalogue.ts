import { Result } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { read } from "../../src/domain/catalogue/file/ReadCatalogue.ts"

const path = fileURLToPath(new URL("../../examples/crm/slotkey.catalogue.json", import.meta.url))

/** Catalogue of another platform, which shares no name with the built-in one: what falls back on that shows. */
export const crmCatalogue = Result.getOrThrow(read(readFileSync(path), path)).file
