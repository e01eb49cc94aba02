import { Result } from "effect"
import type { CatalogueFile } from "../../../src/domain/catalogue/file/CatalogueFile.ts"
import { check, type CheckedCatalogue } from "../../../src/domain/catalogue/file/CatalogueRules.ts"
import { changed } from "../../domain/catalogue/file/SmallCatalogue.ts"

/** The small catalogue with other values at some places; what is wrong with it fails the test. */
export const checkedOf = (values: Readonly<Record<string, unknown>>): CheckedCatalogue =>
  Result.getOrThrow(check(changed(values)))

export const fileOf = (values: Readonly<Record<string, unknown>>): CatalogueFile => checkedOf(values).file
