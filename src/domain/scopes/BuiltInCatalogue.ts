import { Result } from "effect"
import { check, type CheckedCatalogue } from "./CatalogueRules.ts"
// Not read from a file: a program that uses the library may be bundled, and then has no file beside it.
import catalogue from "./scheduling.catalogue.json" with { type: "json" }

/** Catalogue of the specification (§2.3), which holds where no other is given. */
export const builtIn = (): CheckedCatalogue => Result.getOrThrow(check(catalogue))
