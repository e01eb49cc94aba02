import { Schema } from "effect"
import type { CatalogueDraft } from "../../../core/catalogue/openapi/CatalogueDraft.ts"
import type { Drift } from "../../../core/catalogue/openapi/Drift.ts"
import { nameOf } from "../../../core/catalogue/openapi/OperationName.ts"
import { counted } from "../../../domain/Counted.ts"
import { isPrintable } from "../../../domain/Text.ts"

const Names = Schema.Struct({ scopes: Schema.Array(Schema.String), operations: Schema.Array(Schema.String) })

/** What came of an OpenAPI document and a catalogue. */
export const Comparison = Schema.Struct({
  /** Catalogue that was written; `null` if there was nothing to write. */
  written: Schema.NullOr(Schema.String),
  /** Catalogue that was only compared. */
  checked: Schema.NullOr(Schema.String),
  /** Those of the document. */
  scopes: Schema.Int,
  operations: Schema.Int,
  added: Names,
  changed: Schema.Array(
    Schema.Struct({ operation: Schema.String, catalogue: Schema.String, document: Schema.String })
  ),
  gone: Names,
  /** What the document does not tell, by what it is about. */
  todo: Schema.Array(Schema.Struct({ place: Schema.String, todo: Schema.String })),
  /** Parts of the document that no catalogue has, or that are not what they seem. */
  problems: Schema.Array(Schema.Struct({ line: Schema.Int, place: Schema.String, problem: Schema.String }))
})
type Comparison = typeof Comparison.Type

export const comparison = (
  { operations, problems, scopes }: CatalogueDraft,
  { added, changed, gone }: Drift,
  { checked = null, todo = [], written = null }: Partial<Pick<Comparison, "checked" | "todo" | "written">>
): Comparison => ({
  written,
  checked,
  scopes: scopes.length,
  operations: operations.length,
  added: {
    scopes: added.scopes.map(({ entry }) => entry.name),
    operations: added.operations.map(({ entry }) => nameOf(entry))
  },
  changed,
  gone,
  todo,
  problems
})

export const linesOf = ({ added, changed, gone, operations, problems, scopes, todo, written }: Comparison) =>
  [
    `The document has ${counted(operations, "operation")} and ${counted(scopes, "scope")}.`,
    ...problems.map(({ line, place, problem }) => `Problem: line ${line}, ${place}: ${problem}.`),
    ...added.scopes.map((name) => `New: scope ${name}`),
    ...added.operations.map((name) => `New: ${name}`),
    ...changed.map(({ catalogue, document, operation }) =>
      `Differs: ${operation} is ${catalogue} in the catalogue, and ${document} in the document`
    ),
    ...gone.operations.map((name) => `Not in the document: ${name}`),
    ...gone.scopes.map((name) =>
      `Not in the document: scope ${name}. It stays: retire it with "retired", delete it never`
    ),
    ...todo.map(({ place, todo }) => `To do: ${place}: ${todo}`),
    ...written === null ? [] : [`Wrote ${written}. Look for TODO in it, then run slotkey catalogue check.`]
  ].map(inert)

/** A line without what moves the cursor or turns the text of a terminal around: the document is somebody else's. */
const inert = (line: string): string =>
  line.replaceAll(/[^\x20-\x7e]/gu, (character) => isPrintable(character) ? character : "\ufffd")
