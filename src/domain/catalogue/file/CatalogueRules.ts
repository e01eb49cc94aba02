import { Result } from "effect"
import { type Finding, type LineOf, located, type Problem } from "../../files/FileProblem.ts"
import type { Policy } from "../../operations/Policy.ts"
import type { CatalogueFile } from "./CatalogueFile.ts"
import * as Shape from "./CatalogueShape.ts"
import { warnings } from "./CatalogueWarnings.ts"
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
  const whole = ofWhole(value)
  if (whole.length > 0) return Result.fail(inOrder(whole))

  const { entries, file, findings } = Shape.decode(value)
  // Without the list, all that names an entry of it would be wrong as well.
  if (findings.some(({ place: [list, ...rest] }) => rest.length === 0 && isReferredTo(list))) {
    return Result.fail(inOrder(findings))
  }
  const { findings: ofOperations, policy } = operationRules(entries, lineOf)
  const found = [...findings, ...scopeRules(entries), ...ofOperations]
  if (file === undefined || policy === undefined || found.length > 0) return Result.fail(inOrder(found))
  const covered = closure(file.scopes)
  return Result.succeed({ file, closure: covered, policy, warnings: inOrder(warnings(file, covered)) })
}

/** What makes it pointless to look at the entries. */
const ofWhole = (value: unknown): ReadonlyArray<Finding> => {
  if (typeof value !== "object" || value === null) return []
  const fields = new Map(Object.entries(value))
  const format = fields.get("format")
  // A later format may mean other things by the same words.
  if (typeof format === "number" && format !== 1) {
    return [{ place: ["format"], problem: `is ${format}, and this release reads format 1` }]
  }
  return Object.entries(most).flatMap(([name, most]) => {
    const list: unknown = fields.get(name)
    return Array.isArray(list) && list.length > most
      ? [{ place: [name], problem: `has ${list.length} entries, more than ${most}` }]
      : []
  })
}

const most = { levels: 50, areas: 50, scopes: 500, operations: 10_000 }

const isReferredTo = (list: string | number | undefined): boolean =>
  list === undefined || list === "scopes" || list === "levels" || list === "areas"
