import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"

/** Tells if a test app may have a scope: neither it nor what it includes is of the highest risk. */
export const isTestable = ({ included, isScope, riskOf }: Catalogue, scope: ScopeName): boolean =>
  isScope(scope) && [scope, ...included(scope)].every((one) => riskOf(one) < 3)
