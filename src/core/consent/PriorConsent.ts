import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { GrantedScopes } from "../../domain/scopes/Scope.ts"
import type { Client } from "../clients/records/Client.ts"
import type { Grant } from "../grants/Grant.ts"
import type { AuthorizationRequest, UnvalidatedRequest } from "./AuthorizationRequest.ts"

/**
 * Tells whether a live grant covers the request. Users of a public client, which cannot authenticate, always decide.
 */
export const coversRequest = (
  catalogue: Catalogue,
  client: Client,
  sent: UnvalidatedRequest,
  { scopes }: AuthorizationRequest,
  grants: ReadonlyArray<Grant>
): boolean =>
  client.kind === "confidential" && !demandsPrompt(sent) && grants.some((grant) => isCovered(catalogue, scopes, grant))

const isCovered = ({ covers }: Catalogue, scopes: GrantedScopes, grant: Grant): boolean =>
  grant.scopes === null || (scopes?.every((scope) => covers(grant.scopes, scope)) ?? false)

/** Apps can have their users asked again, to decide again or to change accounts (OpenID Connect Core §3.1.2.1). */
const demandsPrompt = ({ parameters }: UnvalidatedRequest): boolean =>
  (parameters.get("prompt") ?? "").split(" ").some((value) => ["consent", "login", "select_account"].includes(value))
