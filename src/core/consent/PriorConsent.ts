import { covers, type GrantedScopes } from "../../domain/scopes/Scope.ts"
import type { Client } from "../clients/Client.ts"
import type { Grant } from "../grants/Grant.ts"
import type { AuthorizationRequest, Query } from "./AuthorizationRequest.ts"

/** Whether a live grant covers the request. A public client cannot prove who it is, so its user decides each time. */
export const coversRequest = (
  client: Client,
  query: Query,
  { scopes }: AuthorizationRequest,
  grants: ReadonlyArray<Grant>
): boolean => client.kind === "confidential" && !insists(query) && grants.some((grant) => isCovered(scopes, grant))

const isCovered = (scopes: GrantedScopes, grant: Grant): boolean =>
  grant.scopes === null || (scopes?.every((scope) => covers(grant.scopes, scope)) ?? false)

/** An app may want its user to see the question again, or to change accounts there (OpenID Connect Core §3.1.2.1). */
const insists = ({ others }: Query): boolean =>
  (others.get("prompt") ?? "").split(" ").some((value) => ["consent", "login", "select_account"].includes(value))
