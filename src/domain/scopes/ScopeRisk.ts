import type { LevelEntry, ScopeEntry } from "./CatalogueFile.ts"
import type { ScopeName } from "./Scope.ts"

/**
 * Rank of a scope by what it lets an app do, the lower the less risky: one to read comes before one to write, then one
 * that removes nothing before one that does, and then one that reaches some before one that reaches everyone.
 */
export type RiskOf = (scope: ScopeName) => number

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

/** The release that knows it may let an app do anything by it. */
const unknown = 8
