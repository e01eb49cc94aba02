import { Schema } from "effect"
import { Problem, unusable } from "../../files/FileProblem.ts"

/** Catalogue that cannot be used, with all that is wrong. */
export class CatalogueError extends Schema.TaggedError<CatalogueError>()("CatalogueError", {
  file: Schema.String,
  problems: Schema.Array(Problem)
}) {
  override get message() {
    return unusable(this.file, this.problems)
  }
}
