// For programs that serve the platform API themselves (docs/library.md).
export { AccessCheck, type Principal } from "./core/tokens/AccessCheck.ts"
export { TemporarilyUnavailable } from "./domain/OAuthError.ts"
export { EndpointListError } from "./domain/scopes/EndpointList.ts"
export { EndpointPolicy, load, type Policy } from "./domain/scopes/EndpointPolicy.ts"
export { decide, Decision, Requirement } from "./domain/scopes/Requirement.ts"
export * as Scope from "./domain/scopes/Scope.ts"
export { Admission } from "./doors/resource/Admission.ts"
export { CallRefused, type Denied, TokenRefused } from "./doors/resource/Denied.ts"
export { needs, needsIfToken, oauth2 } from "./doors/resource/EndpointScope.ts"
export { type Call, Guard, type Verdict } from "./doors/resource/Guard.ts"
export { makeGuard, type PlainGuard } from "./doors/resource/PlainGuard.ts"
export { layerRemote, type Remote } from "./doors/resource/RemoteAccessCheck.ts"
export { Caller, PossibleCaller, RequireScope, ScopeIfToken } from "./doors/resource/RequireScope.ts"
export { metadataUrl, resourceMetadata } from "./doors/resource/ResourceMetadata.ts"

// For programs that embed the server (docs/embedding.md): its routes and services, its users, its infrastructure, and the
// contract, from which a typed client derives.
export { Routes } from "./app/Routes.ts"
export { Services } from "./app/Services.ts"
export { Account } from "./core/accounts/Account.ts"
export { IdentitySource } from "./core/accounts/IdentitySource.ts"
export { LocalAccounts } from "./core/accounts/LocalAccounts.ts"
export { Client } from "./core/clients/Client.ts"
export { SecretCheck } from "./core/clients/SecretCheck.ts"
export {
  explainRefusal,
  type Redemption,
  type RedemptionOutcome,
  type StoredCode
} from "./core/grants/CodeRedemption.ts"
export { CodeStore } from "./core/grants/CodeStore.ts"
export { Grants } from "./core/grants/Grants.ts"
export { GrantStore, type NewGrant } from "./core/grants/GrantStore.ts"
export * as Credential from "./domain/Credential.ts"
export { UserId } from "./domain/Ids.ts"
export { Api } from "./doors/contract/Api.ts"
export { AppConfig, SettingsError } from "./foundation/config/AppConfig.ts"
export { DatabaseError, layer as databaseLayer } from "./foundation/database/Database.ts"
export { DatabaseClock } from "./foundation/database/DatabaseClock.ts"
export { layer as tracingLayer } from "./foundation/tracing/Tracing.ts"
