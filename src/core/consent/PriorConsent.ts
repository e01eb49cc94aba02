import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Client } from "../clients/records/Client.ts"
import type { Grant } from "../grants/Grant.ts"
import type { AuthorizationRequest, UnvalidatedRequest } from "./AuthorizationRequest.ts"
import { declinableOf, type Given, heldOf } from "./Given.ts"

/**
 * What live grants, the newest first, give of the request without asking again: a scope that the user declined is
 * answered, too, for as long as it is optional. Users of a public client, which cannot authenticate, always decide.
 */
export const givenBefore = (
  catalogue: Catalogue,
  client: Client,
  sent: UnvalidatedRequest,
  { scopes }: AuthorizationRequest,
  grants: ReadonlyArray<Grant>
): Given | undefined => {
  if (client.kind !== "confidential" || demandsPrompt(sent)) return undefined
  const mayLack = declinableOf(catalogue, client, scopes)
  return heldOf(
    catalogue,
    scopes,
    grants,
    (scope, asked) => mayLack.includes(scope) && asked.some(({ declined }) => declined?.includes(scope))
  )
}

/** Apps can have their users asked again, to decide again or to change accounts (OpenID Connect Core §3.1.2.1). */
const demandsPrompt = ({ parameters }: UnvalidatedRequest): boolean =>
  (parameters.get("prompt") ?? "").split(" ").some((value) => ["consent", "login", "select_account"].includes(value))
