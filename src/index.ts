// For programs that embed the server (docs/embedding.md): its routes and services, its users, its infrastructure, and
// the core services, each of which can be used alone. `Services` says which may be replaced. Workers are in
// slotkey/workers.
export { EmbeddedRoutes as Routes, Routes as StandaloneRoutes } from "./app/Routes.ts"
export { Services } from "./app/Services.ts"
export { LocalAccounts } from "./core/accounts/LocalAccounts.ts"
export { Account } from "./core/accounts/people/Account.ts"
export { IdentitySource } from "./core/accounts/people/IdentitySource.ts"
export { ClientRegistry } from "./core/clients/life/ClientRegistry.ts"
export { Client } from "./core/clients/records/Client.ts"
export { ClientReview } from "./core/clients/review/ClientReview.ts"
export { SecretCheck } from "./core/clients/secrets/SecretCheck.ts"
export { SecretVault } from "./core/clients/secrets/SecretVault.ts"
export {
  explainRefusal,
  type Redemption,
  type RedemptionOutcome,
  type StoredCode
} from "./core/grants/CodeRedemption.ts"
export { CodeStore } from "./core/grants/CodeStore.ts"
export type { ConsentTerms } from "./core/grants/Grant.ts"
export { Grants } from "./core/grants/Grants.ts"
export { GrantStore, type NewGrant } from "./core/grants/GrantStore.ts"
export { TokenIssuer } from "./core/tokens/TokenIssuer.ts"
export * as Scope from "./domain/catalogue/BuiltInScope.ts"
export { Catalogue } from "./domain/catalogue/Catalogue.ts"
export { compile as compileCatalogue, layer as catalogueLayer } from "./domain/catalogue/GivenCatalogue.ts"
export * as Credential from "./domain/Credential.ts"
export { UserId } from "./domain/Ids.ts"
export type * from "./domain/scopes/Register.ts"
export { type SignInMethod, SignInMethods, type SignInRequest } from "./doors/session/SignInMethods.ts"
export { AppConfig, SettingsError } from "./foundation/config/AppConfig.ts"
export { DatabaseError, layer as databaseLayer } from "./foundation/database/Database.ts"
export { DatabaseClock } from "./foundation/database/DatabaseClock.ts"
export { layer as tracingLayer } from "./foundation/tracing/Tracing.ts"
