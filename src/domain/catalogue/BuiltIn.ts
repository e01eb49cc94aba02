import { Schema } from "effect"
import { CatalogueFile } from "./file/CatalogueFile.ts"
// Not read from a file: a program that uses the library may be bundled, and then has no file beside it.
import file from "./scheduling.catalogue.json" with { type: "json" }

/**
 * Catalogue of the specification (§2.3), which holds where no other is given. It is decoded when it is first asked for:
 * several parts of a start ask.
 */
export const builtInFile = (): CatalogueFile => decoded ??= Schema.decodeUnknownSync(CatalogueFile)(file)

let decoded: CatalogueFile | undefined
