import { Layer } from "effect"
import { Accounts } from "./accounts/Accounts.ts"
import { ApiKeys } from "./accounts/ApiKeys.ts"
import { IdentitySource } from "./accounts/IdentitySource.ts"
import { PageSession } from "./accounts/PageSession.ts"
import { Passwords } from "./accounts/Passwords.ts"
import { Sessions } from "./accounts/Sessions.ts"
import { SetupLinks } from "./accounts/SetupLinks.ts"
import { SignIn } from "./accounts/SignIn.ts"
import { SignInThrottle } from "./accounts/SignInThrottle.ts"
import { AuditLog } from "./audit/AuditLog.ts"
import { ClientRegistry } from "./clients/ClientRegistry.ts"
import { Rejections } from "./clients/Rejections.ts"
import { CodeStore } from "./codes/CodeStore.ts"
import { Connections } from "./consent/Connections.ts"
import { Consent } from "./consent/Consent.ts"
import { Outbox } from "./jobs/Outbox.ts"
import { ImportedTokens } from "./legacy/ImportedTokens.ts"
import { LegacyImport } from "./legacy/LegacyImport.ts"
import { LegacyTraffic } from "./legacy/LegacyTraffic.ts"
import { Migration } from "./legacy/Migration.ts"
import { MigrationAudits } from "./legacy/MigrationAudits.ts"
import { MigrationBoard } from "./legacy/MigrationBoard.ts"
import { DemoApp } from "./playground/DemoApp.ts"
import { Admission } from "./resource/Admission.ts"
import { Guard } from "./resource/Guard.ts"
import { EndpointPolicy } from "./scopes/EndpointPolicy.ts"
import { SecretCheck } from "./secrets/SecretCheck.ts"
import { SecretVault } from "./secrets/SecretVault.ts"
import { AccessCheck } from "./tokens/AccessCheck.ts"
import { AccessTokens } from "./tokens/AccessTokens.ts"
import { ClientAuthentication } from "./tokens/ClientAuthentication.ts"
import { GrantEndings } from "./tokens/GrantEndings.ts"
import { Grants } from "./tokens/Grants.ts"
import { Introspection } from "./tokens/Introspection.ts"
import { KeyRotation } from "./tokens/KeyRotation.ts"
import { MasterKey } from "./tokens/MasterKey.ts"
import { RefreshKeys } from "./tokens/RefreshKeys.ts"
import { RefreshTokens } from "./tokens/RefreshTokens.ts"
import { ResourceServers } from "./tokens/ResourceServers.ts"
import { Revocation } from "./tokens/Revocation.ts"
import { ServerKeys } from "./tokens/ServerKeys.ts"
import { Signer } from "./tokens/Signer.ts"
import { SigningKeys } from "./tokens/SigningKeys.ts"
import { TokenIssuer } from "./tokens/TokenIssuer.ts"

const Trail = Layer.mergeAll(AuditLog.layer, Outbox.layer)

const AccountServices = Layer.mergeAll(ApiKeys.layer, PageSession.layer, SetupLinks.layer, SignIn.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Accounts.layer, IdentitySource.layer, Sessions.layer, SignInThrottle.layer)),
  Layer.provideMerge(Passwords.layer)
)

const ClientServices = ClientRegistry.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(MigrationAudits.layer, Rejections.layer, SecretVault.layer))
)

const KeyServices = KeyRotation.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(SigningKeys.layer, RefreshKeys.layer, Signer.layer)),
  Layer.provideMerge(Layer.mergeAll(MasterKey.layer, ServerKeys.layer))
)

const GrantServices = Layer.mergeAll(AccessTokens.layer, Grants.layer, ImportedTokens.layer, ResourceServers.layer)
  .pipe(
    Layer.provideMerge(Layer.mergeAll(CodeStore.layer, KeyServices)),
    Layer.provideMerge(SecretCheck.layer)
  )

/** Every service of the server over its infrastructure: the settings and the database. */
export const Services = Layer.mergeAll(
  Connections.layer,
  Consent.layer,
  DemoApp.layer,
  Guard.layer,
  Introspection.layer,
  Revocation.layer,
  TokenIssuer.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(ClientAuthentication.layer, GrantEndings.layer, RefreshTokens.layer)),
  Layer.provideMerge(Layer.mergeAll(Admission.layer, EndpointPolicy.layer)),
  Layer.provideMerge(AccessCheck.layer),
  Layer.provideMerge(Layer.mergeAll(LegacyImport.layer, Migration.layer, MigrationBoard.layer)),
  Layer.provideMerge(LegacyTraffic.layer),
  Layer.provideMerge(ClientServices),
  Layer.provideMerge(Layer.mergeAll(AccountServices, GrantServices)),
  Layer.provideMerge(Trail)
)
