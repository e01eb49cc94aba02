import { Result } from "effect"
import { parseTree } from "jsonc-parser"
import type { CatalogueFile } from "../../../domain/catalogue/file/CatalogueFile.ts"
import type { CatalogueError } from "../../../domain/catalogue/file/CatalogueProblem.ts"
import { read } from "../../../domain/catalogue/file/ReadCatalogue.ts"
import { additions, edited } from "./CatalogueEdits.ts"
import type { Drift } from "./Drift.ts"

/** A catalogue that is there, with the text that it comes from. */
export interface ExistingCatalogue {
  readonly catalogue: CatalogueFile
  /** Same text with these entries, each marked as new. */
  readonly withAdditions: (added: Drift["added"]) => string
}

export const readCatalogue = (text: string, file: string): Result.Result<ExistingCatalogue, CatalogueError> =>
  Result.map(read(new TextEncoder().encode(text), file), ({ file: catalogue }) => ({
    catalogue,
    withAdditions: ({ operations, scopes }) => {
      const root = parseTree(text)
      if (root === undefined) return text
      return edited(text, additions(text, root, { operations: operations.map(asNew), scopes: scopes.map(asNew) }))
    }
  }))

const asNew = <A extends { readonly todo: ReadonlyArray<string> }>(drafted: A): A => ({
  ...drafted,
  todo: ["new in the document", ...drafted.todo]
})
