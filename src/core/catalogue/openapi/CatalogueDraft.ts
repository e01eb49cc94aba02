import { Result } from "effect"
import { BadRequest } from "../../../domain/ApiError.ts"
import type { ScopeEntry } from "../../../domain/catalogue/file/CatalogueFile.ts"
import type { OperationEntry } from "../../../domain/operations/OperationEntry.ts"
import { parseTemplate } from "../../../domain/operations/Template.ts"
import { inQuotes } from "../../../domain/Text.ts"
import { accessFor } from "./Access.ts"
import { basePath } from "./BasePath.ts"
import { type Condition, judge } from "./Condition.ts"
import { type Drafted, draftScopes, scopeNames, titleOf } from "./DraftedScopes.ts"
import { membersOf, type OpenApiDocument, read } from "./OpenApiDocument.ts"
import { keyOf } from "./OperationName.ts"
import { type Operation, operationsOf } from "./Operations.ts"
import type { Problem } from "./Problem.ts"
import type { Level } from "./ScopeGuesses.ts"
import { schemesOf } from "./SecuritySchemes.ts"

// From the text of an OpenAPI document to what a catalogue would say of the same API, for the command
// `catalogue import-openapi`. Nothing here reads files or asks the network. A document is somebody else's text, so each
// part of it is judged by itself.

export interface DraftedOperation extends Drafted<OperationEntry> {
  readonly condition: Condition
  /** Method and path as the document has them. */
  readonly place: string
}

export interface CatalogueDraft {
  /** Title of the API, if it has one that fits. */
  readonly name: string | undefined
  readonly levels: ReadonlyArray<Level>
  /** In the order of the document. */
  readonly scopes: ReadonlyArray<Drafted<ScopeEntry>>
  readonly operations: ReadonlyArray<DraftedOperation>
  /** What is not in the draft, by its line in the document. */
  readonly problems: ReadonlyArray<{ readonly line: number; readonly place: string; readonly problem: string }>
}

interface Options {
  /** Base path of all operations, whatever the document says of its servers. */
  readonly prefix: string | undefined
  /** Levels of the scopes, of which the first is for those that show no other. */
  readonly levels: ReadonlyArray<Level>
}

/** Drafts a catalogue. Each operation of the document is either in the draft or among its problems. */
export const draft = (text: string, { levels, prefix }: Options): Result.Result<CatalogueDraft, BadRequest> => {
  const given = prefix === undefined ? undefined : basePath([{ url: prefix }])
  return given?.problem === undefined
    ? Result.map(read(text), (document) => draftFrom(document, given?.path, levels))
    : Result.fail(
      new BadRequest({ code: "prefix_malformed", message: `The prefix ${prefix} is no path such as /api.` })
    )
}

const draftFrom = (
  document: OpenApiDocument,
  prefix: string | undefined,
  levels: CatalogueDraft["levels"]
): CatalogueDraft => {
  const found = operationsOf(document, prefix)
  const schemes = schemesOf(document)
  const problems: Array<Problem> = [...schemes.problems, ...found.problems]
  const { admit, admitted } = scopeNames()
  for (const scope of schemes.scopes.keys()) {
    const problem = admit(scope)
    const keys = ["components", "securitySchemes"]
    if (problem !== undefined) problems.push({ keys, place: `the scope ${inQuotes(scope)}`, problem })
  }

  const operations: Array<DraftedOperation> = []
  const uses = new Map<string, Array<Operation>>()
  const taken = new Map<string, string>()
  for (const operation of found.operations) {
    const { keys, method, path, place, security } = operation
    const isExact = /[A-Z]/.test(path.replaceAll(/\{[^{}]*\}/g, ""))
    const template = parseTemplate(path, isExact)
    const other = taken.get(keyOf(operation))
    if (typeof template === "string" || other !== undefined) {
      const problem = typeof template === "string" ? template : `it has the method and the paths of ${other}`
      problems.push({ keys, place, problem })
      continue
    }
    taken.set(keyOf(operation), place)
    const { condition, notes } = judge(security, schemes, admit)
    const { access, note } = accessFor(condition)
    operations.push({
      entry: { method, path, ...isExact ? { case: "exact" } : {}, ...access },
      todo: [...notes, ...note === undefined ? [] : [note]],
      condition,
      place
    })
    for (const scope of condition._tag === "Scopes" ? new Set(condition.alternatives.flat()) : []) {
      const users = uses.get(scope)
      if (users === undefined) uses.set(scope, [operation])
      else users.push(operation)
    }
  }

  return {
    name: titleOf(membersOf(document.root["info"])["title"]),
    levels,
    scopes: draftScopes(admitted(), schemes.scopes, uses, levels),
    operations,
    problems: problems
      .map(({ keys, place, problem }) => ({ line: document.lineOf(keys), place, problem }))
      .sort((one, other) => one.line - other.line)
  }
}
