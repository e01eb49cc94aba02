import type { RiskOf } from "../../scopes/Requirement.ts"
import type { LevelEntry, ScopeEntry } from "./CatalogueFile.ts"

/** Ranks the scopes of a file. */
export const riskOf = (
  scopes: ReadonlyArray<Pick<ScopeEntry, "name" | "access" | "level" | "removes">>,
  levels: ReadonlyArray<Pick<LevelEntry, "id" | "everyone">>
): RiskOf => {
  const everyone = new Set(levels.flatMap((level) => level.everyone === true ? [level.id] : []))
  const ranks = new Map(
    scopes.map(({ access, level, name, removes }) => [
      name,
      (access === "write" ? 4 : 0) + (removes === true ? 2 : 0) + (everyone.has(level) ? 1 : 0)
    ])
  )
  return (scope) => ranks.get(scope) ?? unknown
}

/**
 * Tells if a scope lets an app do another thing than one that includes it, by what the file says of the two: see or
 * change, remove, or reach another level. A level within one that reaches everyone is a part of it.
 */
export const isAnother =
  (levels: ReadonlyArray<Pick<LevelEntry, "id" | "everyone">>) =>
  (scope: Pick<ScopeEntry, "access" | "level" | "removes">, than: Pick<ScopeEntry, "access" | "level" | "removes">) => {
    const isForAll = (level: string) => levels.some(({ everyone, id }) => id === level && everyone === true)
    return scope.access !== than.access ||
      scope.removes === true && than.removes !== true ||
      scope.level !== than.level && (isForAll(scope.level) || !isForAll(than.level))
  }

/** The release that knows it may let an app do anything by it. */
const unknown = 8
