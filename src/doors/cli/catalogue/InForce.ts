import { Effect, Option } from "effect"
import { builtIn } from "../../../domain/scopes/BuiltInCatalogue.ts"
import type { CatalogueError } from "../../../domain/scopes/CatalogueProblem.ts"
import type { CheckedCatalogue } from "../../../domain/scopes/CatalogueRules.ts"
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
    onNone: () => ({ file: null, load: Effect.sync(builtIn) }),
    onSome: (file) => ({ file, load: loadCatalogue(file) })
  })
)
