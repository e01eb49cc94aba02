import { Option } from "effect"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { GrantedScopes, ScopeName } from "../../domain/scopes/Scope.ts"
import type { Settings } from "../../foundation/config/AppConfig.ts"
import type { Account } from "../accounts/people/Account.ts"

/**
 * Tells if scopes have something that this user can't give: what is of the highest risk and reaches everyone in the
 * organization, if the user may not decide for it. What comes with a scope counts as well, and so does everything.
 */
export const withheldFrom = (
  { decidesForOrganization }: Account,
  { organizationDeciderClaim }: Pick<Settings, "organizationDeciderClaim">
) => {
  const decides = decidesForOrganization ?? Option.isNone(organizationDeciderClaim)
  return ({ entry, file, included, riskOf }: Catalogue, scopes: GrantedScopes): boolean => {
    if (decides) return false
    const everyones = new Set(file.levels.flatMap(({ everyone, id }) => everyone === true ? [id] : []))
    if (scopes === null) return everyones.size > 0
    // A name that this catalogue does not know may reach anybody.
    const isOrganizations = (scope: ScopeName) =>
      riskOf(scope) === 3 && everyones.has(entry(scope)?.level ?? "") || entry(scope) === undefined
    return scopes.some((scope) => [scope, ...included(scope)].some(isOrganizations))
  }
}
