import { Result } from "effect"
import type { CatalogueFile } from "./CatalogueFile.ts"
import { type Finding, type LineOf, located, type Problem } from "./CatalogueProblem.ts"
import * as Shape from "./CatalogueShape.ts"
import { warnings } from "./CatalogueWarnings.ts"
import type { Policy } from "./EndpointPolicy.ts"
import { type Closure, closure } from "./Implications.ts"
import { operationRules } from "./OperationRules.ts"
import { scopeRules } from "./ScopeRules.ts"

/** A catalogue that keeps all rules. */
export interface CheckedCatalogue {
  readonly file: CatalogueFile
  readonly closure: Closure
  readonly policy: Policy
  /** What can be used, and is probably not meant. */
  readonly warnings: ReadonlyArray<Problem>
}

/**
 * Checks a catalogue as it comes out of JSON: the shape of each entry, and the rules that need more than one. All that
 * is wrong is found at once.
 */
export const check = (
  value: unknown,
  lineOf: LineOf = () => undefined
): Result.Result<CheckedCatalogue, ReadonlyArray<Problem>> => {
  const inOrder = (found: ReadonlyArray<Finding>) =>
    found.map((finding) => located(finding, lineOf)).sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
  const older = otherFormat(value)
  if (older !== undefined) return Result.fail(inOrder([older]))

  const { entries, file, findings } = Shape.decode(value)
  const tooMany = overLimits(entries)
  if (tooMany.length > 0) return Result.fail(inOrder(tooMany))

  const { findings: ofOperations, policy } = operationRules(entries, lineOf)
  const found = [...findings, ...scopeRules(entries), ...ofOperations]
  if (file === undefined || policy === undefined || found.length > 0) return Result.fail(inOrder(found))
  const covered = closure(file.scopes)
  return Result.succeed({ file, closure: covered, policy, warnings: inOrder(warnings(file, covered)) })
}

/** A later format may mean other things by the same words, so that nothing else is worth saying. */
const otherFormat = (value: unknown): Finding | undefined => {
  if (typeof value !== "object" || value === null || !("format" in value)) return undefined
  const { format } = value
  return typeof format !== "number" || format === 1
    ? undefined
    : { place: ["format"], problem: `is ${format}, and this release reads format 1` }
}

const most = { scopes: 500, operations: 10_000 } as const

const overLimits = (entries: Shape.Entries): ReadonlyArray<Finding> =>
  (["scopes", "operations"] as const).flatMap((name) => {
    const { length } = entries[name]
    return length > most[name] ? [{ place: [name], problem: `has ${length} entries, more than ${most[name]}` }] : []
  })
