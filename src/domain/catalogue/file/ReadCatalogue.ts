import { Result } from "effect"
import * as JsonFile from "../../files/JsonFile.ts"
import { CatalogueError } from "./CatalogueProblem.ts"
import { check, type CheckedCatalogue } from "./CatalogueRules.ts"

/**
 * Reads a catalogue: JSON in UTF-8, in which comments are allowed. `file` is its name in the error, which says all that
 * is wrong at once.
 */
export const read = (bytes: Uint8Array, file: string): Result.Result<CheckedCatalogue, CatalogueError> =>
  JsonFile.read(bytes, largestFile).pipe(
    Result.flatMap(({ lineOf, value }) => check(value, lineOf)),
    Result.mapError((problems) => new CatalogueError({ file, problems }))
  )

/** In bytes: room for ten thousand operations and five hundred scopes in some languages. */
export const largestFile = 4 * 2 ** 20
