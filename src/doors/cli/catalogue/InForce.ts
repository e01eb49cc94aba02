import { Effect, Option, Result } from "effect"
import { builtInFile } from "../../../domain/catalogue/BuiltIn.ts"
import type { CatalogueError } from "../../../domain/catalogue/file/CatalogueProblem.ts"
import { check, type CheckedCatalogue } from "../../../domain/catalogue/file/CatalogueRules.ts"
import { loadCatalogue } from "../../../foundation/config/LoadCatalogue.ts"
import { given } from "../../../foundation/config/SecretFiles.ts"

/** Catalogue that a server with these settings has, and its file, unless it is the built-in one. */
interface InForce {
  readonly file: string | null
  readonly load: Effect.Effect<CheckedCatalogue, CatalogueError>
}

export const inForce: Effect.Effect<InForce> = Effect.map(
  given("CATALOGUE"),
  Option.match({
    onNone: () => ({ file: null, load: Effect.sync(() => Result.getOrThrow(check(builtInFile()))) }),
    onSome: (file) => ({ file, load: loadCatalogue(file) })
  })
)
