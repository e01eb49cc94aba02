import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"

/** Small set of scopes that an app of a trusted host has without a review, at this resource or at the API (`null`). */
export const baseScopesOf = ({ profileScope }: Catalogue, resource: string | null): ReadonlyArray<ScopeName> =>
  resource === null ? [profileScope] : []
