import { Effect, Option, Result } from "effect"
import { Argument } from "effect/cli"
import { builtInFile } from "../../../domain/catalogue/BuiltIn.ts"
import { check } from "../../../domain/catalogue/file/CatalogueRules.ts"
import { loadCatalogue } from "../../../foundation/config/LoadCatalogue.ts"
import { given } from "../../../foundation/config/SecretFiles.ts"

/** Catalogue that a command is about. */
export const file = Argument.String("file").pipe(
  Argument.withDescription("A catalogue; without it, the one of CATALOGUE or the built-in one"),
  Argument.optional
)

/** Its file, unless it is the built-in one, and how it is loaded. */
export const asked = Effect.fnUntraced(function*(named: Option.Option<string>) {
  const setting = yield* given("CATALOGUE")
  return Option.match(Option.orElse(named, () => setting), {
    onNone: () => ({ file: null, load: Effect.sync(() => Result.getOrThrow(check(builtInFile()))) }),
    onSome: (file) => ({ file, load: loadCatalogue(file) })
  })
})
