import type { DateTime } from "effect"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { GrantedScopes, ScopeName } from "../../domain/scopes/Scope.ts"
import type { Client } from "../clients/records/Client.ts"
import { requiredOf } from "../clients/records/OptionalScopes.ts"
import type { ConsentTerms, Grant } from "../grants/Grant.ts"

/** What an app gets of its request, and until when; `null` for the server's own end. */
export interface Given extends Pick<ConsentTerms, "declined"> {
  readonly scopes: GrantedScopes
  readonly expiresAt: DateTime.Utc | null
}

/**
 * Scopes of a request that the user may decline. One that comes with a required scope is none of them: it would be
 * given all the same.
 */
export const declinableOf = (
  { covers }: Catalogue,
  client: Client,
  scopes: GrantedScopes
): ReadonlyArray<ScopeName> => {
  if (client.optionalScopes.length === 0) return []
  const required = requiredOf(client)
  return (scopes ?? []).filter((scope) => !covers(required, scope))
}

/**
 * What one grant gives of the scopes, until it ends, if the app may lack the rest. Nothing is given that the user has
 * declined since: the last word counts.
 */
export const heldOf = (
  { covers }: Catalogue,
  scopes: GrantedScopes,
  grants: ReadonlyArray<Grant>,
  /** Tells if the app may lack a scope that the grant, or one that is newer, does not give. */
  mayLack: (scope: ScopeName, asked: ReadonlyArray<Grant>) => boolean
): Given | undefined => {
  for (const [index, grant] of grants.entries()) {
    const { expiresAt } = grant
    if (scopes === null) {
      if (grant.scopes === null) return { scopes, declined: null, expiresAt }
      continue
    }
    const asked = grants.slice(0, index + 1)
    const isDeclined = (scope: ScopeName) => asked.some(({ declined }) => declined?.some((one) => covers([scope], one)))
    const held = scopes.filter((scope) => covers(grant.scopes, scope) && !isDeclined(scope))
    const rest = scopes.filter((scope) => !held.includes(scope))
    if (held.length === 0 || !rest.every((scope) => mayLack(scope, asked))) continue
    const declined = [...new Set([...grant.declined ?? [], ...rest])]
    return { scopes: held, declined: declined.length === 0 ? null : declined, expiresAt }
  }
  return undefined
}
