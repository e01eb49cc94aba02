import { Effect, Layer, Result } from "effect"
import { Catalogue, make } from "./Catalogue.ts"
import { CatalogueError } from "./file/CatalogueProblem.ts"
import { check } from "./file/CatalogueRules.ts"

// Catalogue that a program has as a value, such as a file that it imports. It is checked as the file of `CATALOGUE` is.

export const compile = (value: object): Result.Result<Catalogue, CatalogueError> =>
  check(value).pipe(
    Result.map((checked) => make(checked.file, checked)),
    Result.mapError((problems) => new CatalogueError({ file: "The catalogue", problems }))
  )

/** Puts it in force for all that is built above. */
export const layer = (value: object): Layer.Layer<never, CatalogueError> =>
  Layer.effect(Catalogue, Effect.suspend(() => Effect.fromResult(compile(value))))
