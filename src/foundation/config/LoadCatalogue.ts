import { Effect } from "effect"
import { CatalogueError } from "../../domain/catalogue/file/CatalogueProblem.ts"
import type { CheckedCatalogue } from "../../domain/catalogue/file/CatalogueRules.ts"
import { largestFile, read } from "../../domain/catalogue/file/ReadCatalogue.ts"
import { contentOf } from "./SettingFile.ts"

/** Reads and checks the catalogue in a file. */
export const loadCatalogue = (path: string): Effect.Effect<CheckedCatalogue, CatalogueError> =>
  contentOf(path, largestFile).pipe(
    Effect.mapError((problem) => new CatalogueError({ file: path, problems: [{ place: "", problem }] })),
    Effect.flatMap((bytes) => Effect.fromResult(read(bytes, path)))
  )
