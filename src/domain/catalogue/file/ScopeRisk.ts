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

/** The release that knows it may let an app do anything by it. */
const unknown = 8
