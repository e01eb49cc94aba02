import { type Finding, type Place, proposer } from "../../files/FileProblem.ts"
import type { Entries } from "./CatalogueShape.ts"

/** Scopes that a place of a catalogue names. */
export interface Mention {
  readonly place: Place
  readonly names: string | ReadonlyArray<string> | undefined
  /** What is made from now on must not need a scope that no app may register any more. */
  readonly mayBeRetired: boolean
}

/** Names that are no scope of the file, are retired where that must not be, or come twice in a list. */
export const faultsOf = (mentions: ReadonlyArray<Mention>, entries: Entries): ReadonlyArray<Finding> => {
  const propose = proposer(entries.scopeNames)
  const retired = new Map(
    entries.scopes.flatMap((scope) => scope?.retired === undefined ? [] : [[scope.name, scope.retired] as const])
  )
  const fault = (name: string, mayBeRetired: boolean, isTwice: boolean): string | undefined => {
    if (!entries.scopeNames.has(name)) return `"${name}" is no scope here.${propose(name)}`
    const { standsFor = [] } = retired.get(name) ?? {}
    if (!mayBeRetired && retired.has(name)) {
      const instead = standsFor.map((name) => `"${name}"`).join(" and ")
      return `"${name}" is retired.${instead === "" ? "" : ` It stands for ${instead}.`}`
    }
    return isTwice ? `"${name}" comes twice` : undefined
  }
  return mentions.flatMap(({ mayBeRetired, names = [], place }) =>
    [names].flat().flatMap((name, at, all) => {
      const problem = fault(name, mayBeRetired, all.indexOf(name) < at)
      return problem === undefined ? [] : [{ place: typeof names === "string" ? place : [...place, at], problem }]
    })
  )
}
