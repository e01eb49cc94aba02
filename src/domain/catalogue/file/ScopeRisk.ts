import { Order } from "effect"
import type { ScopeName } from "../../scopes/Scope.ts"
import type { LevelEntry, ScopeEntry } from "./CatalogueFile.ts"

/**
 * How much an app can do to people by a scope: 0 if it sees, 1 if it changes what is the user's, 2 if it changes what
 * others have as well, has data sent away, or sees what is everyone's, 3 if it changes this, or who belongs to it.
 */
export type Risk = 0 | 1 | 2 | 3

/** What a file says of a scope that makes its risk. */
type Facts = Pick<ScopeEntry, "access" | "level" | "removes" | "admits" | "forwards" | "sensitive">
type Levels = ReadonlyArray<Pick<LevelEntry, "id" | "everyone" | "reviewAlways">>

/** Judges the scopes of a file. */
export const riskOf = (
  scopes: ReadonlyArray<Facts & Pick<ScopeEntry, "name">>,
  levels: Levels
): (scope: ScopeName) => Risk => {
  const breadth = new Map(levels.map((level) => [level.id, breadthOf(level)]))
  const risks = new Map(scopes.map((scope) => [scope.name, riskAt(breadth.get(scope.level) ?? 0, scope)]))
  // The release that knows it may let an app do anything by it.
  return (scope) => risks.get(scope) ?? 3
}

/** How many a level concerns: the user alone (0), others as well (1), or everyone (2). */
export const breadthOf = ({ everyone, reviewAlways }: Omit<Levels[number], "id">): 0 | 1 | 2 =>
  everyone === true ? 2 : reviewAlways === true ? 1 : 0

const riskAt = (breadth: 0 | 1 | 2, { access, admits, forwards, removes, sensitive }: Facts): Risk => {
  // What has been seen cannot be taken back either.
  const counts = access === "write" || removes === true || sensitive === true
  if (admits === true || breadth === 2 && counts) return 3
  if (forwards === true || breadth === 2 || breadth === 1 && counts) return 2
  return counts ? 1 : 0
}

/** Orders scopes by risk; at one risk those that see come before those that change, and these before removing ones. */
export const byRisk = (
  scopes: ReadonlyArray<Facts & Pick<ScopeEntry, "name">>,
  levels: Levels
): Order.Order<ScopeName> => {
  const risk = riskOf(scopes, levels)
  const weights = new Map(
    scopes.map(({ access, name, removes }) => [name, (access === "write" ? 2 : 0) + (removes === true ? 1 : 0)])
  )
  return Order.mapInput(Order.Number, (scope: ScopeName) => risk(scope) * 4 + (weights.get(scope) ?? 3))
}

/**
 * Tells if a scope lets an app do another thing than one that includes it, by what the file says of the two: see or
 * change, another fact that counts, or reach another level. A level within one that reaches everyone is a part of it.
 */
export const isAnother = (levels: Levels) => (scope: Facts, than: Facts): boolean => {
  const isForAll = (level: string) => levels.some(({ everyone, id }) => id === level && everyone === true)
  return scope.access !== than.access ||
    facts.some((fact) => scope[fact] === true && than[fact] !== true) ||
    scope.level !== than.level && (isForAll(scope.level) || !isForAll(than.level))
}

const facts = ["removes", "admits", "forwards", "sensitive"] as const
