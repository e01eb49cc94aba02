import { Result } from "effect"
import type { Finding, LineOf } from "../../files/FileProblem.ts"
import { check } from "../../operations/EndpointList.ts"
import { needs } from "../../operations/OperationAccess.ts"
import type { OperationEntry } from "../../operations/OperationEntry.ts"
import { compile, type Policy } from "../../operations/Policy.ts"
import type { Scope } from "../../scopes/Scope.ts"
import type { Entries } from "./CatalogueShape.ts"
import { faultsOf, type Mention } from "./ScopeMentions.ts"
import { byRisk } from "./ScopeRisk.ts"

/** Rules of the operations: the scopes that they name, their paths, and that nobody has to choose between two. */
export const operationRules = (
  entries: Entries,
  lineOf: LineOf
): { readonly findings: ReadonlyArray<Finding>; readonly policy: Policy | undefined } => {
  const listed = entries.operations.flatMap((operation, at) => operation === undefined ? [] : [{ at, operation }])
  const named = faultsOf(listed.flatMap(mentionsOf), entries)
  const faulty = new Set(named.map(({ place }) => place[1]))
  const sound = listed.filter(({ at }) => !faulty.has(at))
  const names = {
    isScope: (name: string): name is Scope => entries.scopeNames.has(name),
    byRisk: byRisk(
      entries.scopes.filter((scope) => scope !== undefined),
      entries.levels.filter((level) => level !== undefined)
    )
  }

  // The list tells entries by numbers, which are lines where it is a file of its own. Here they are positions.
  const numberOf = (index: number) => sound[index]?.at ?? 0
  const compiled = Result.flatMap(check(sound.map(({ operation }) => operation), names, numberOf), compile)
  if (Result.isSuccess(compiled)) return { findings: named, policy: compiled.success }
  const found = compiled.failure.problems.map(({ line: at, problem }) => ({
    place: ["operations", at],
    problem: problem.replaceAll(/\bline (\d+)/g, (_, at: string) => inWords(Number(at), lineOf))
  }))
  return { findings: [...named, ...found], policy: undefined }
}

const inWords = (at: number, lineOf: LineOf): string => {
  const line = lineOf(["operations", at])
  return `operations[${at}]${line === undefined ? "" : ` (line ${line})`}`
}

const mentionsOf = ({ at, operation }: { readonly at: number; readonly operation: OperationEntry }) =>
  needs.map((key): Mention => ({ place: ["operations", at, key], names: operation[key], mayBeRetired: false }))
