import type { CatalogueFile } from "../../../domain/catalogue/file/CatalogueFile.ts"
import type { OperationEntry } from "../../../domain/operations/OperationEntry.ts"
import { agrees, conditionOf, inWords } from "./Access.ts"
import type { CatalogueDraft, DraftedOperation } from "./CatalogueDraft.ts"
import { keyOf, nameOf } from "./OperationName.ts"

/** How an API, as its document has it, differs from a catalogue. */
export interface Drift {
  /** In the document alone. */
  readonly added: Pick<CatalogueDraft, "operations" | "scopes">
  /** Operations that need something else by the document. */
  readonly changed: ReadonlyArray<{ readonly operation: string; readonly catalogue: string; readonly document: string }>
  /** In the catalogue alone, without scopes that are retired there: of another document, or not of the API any more. */
  readonly gone: { readonly scopes: ReadonlyArray<string>; readonly operations: ReadonlyArray<string> }
}

export const noDrift: Drift = {
  added: { scopes: [], operations: [] },
  changed: [],
  gone: { scopes: [], operations: [] }
}

/** Compares a catalogue to the draft that a document makes. */
export const drift = (catalogue: CatalogueFile, draft: CatalogueDraft): Drift => {
  const entries = new Map(catalogue.operations.map((entry) => [keyOf(entry), entry]))
  const drafted = new Map(draft.operations.map((operation) => [keyOf(operation.entry), operation]))
  const names = new Set(catalogue.scopes.map(({ name }) => name))
  const needed = new Set(draft.scopes.map(({ entry: { name } }) => name))
  return {
    added: {
      scopes: draft.scopes.filter(({ entry: { name } }) => !names.has(name)),
      operations: draft.operations.filter(({ entry }) => !entries.has(keyOf(entry)))
    },
    changed: [...drafted].flatMap(([key, operation]) => {
      const entry = entries.get(key)
      return entry === undefined || agrees(entry, operation.condition) ? [] : [change(entry, operation)]
    }),
    gone: {
      scopes: catalogue.scopes.flatMap(({ name, retired }) => retired === undefined && !needed.has(name) ? [name] : []),
      operations: catalogue.operations.flatMap((entry) => drafted.has(keyOf(entry)) ? [] : [nameOf(entry)])
    }
  }
}

const change = (entry: OperationEntry, { condition }: DraftedOperation): Drift["changed"][number] => ({
  operation: nameOf(entry),
  catalogue: entry.neverForApps === undefined ? inWords(conditionOf(entry)) : `closed, ${entry.neverForApps}`,
  document: inWords(condition)
})
