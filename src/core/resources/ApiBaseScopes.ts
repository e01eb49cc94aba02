import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Scope } from "../../domain/scopes/Scope.ts"

/** Scopes with which a client of the API begins that knows nothing else (`API_BASE_SCOPES`), in catalogue order. */
export const apiBaseScopes = (
  { names, profileScope }: Catalogue,
  words: ReadonlySet<string>
): ReadonlyArray<Scope> => words.size === 0 ? [profileScope] : names.filter((name) => words.has(name))
