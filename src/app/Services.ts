import { Layer } from "effect"
import { AccountServices } from "../core/accounts/AccountServices.ts"
import { LocalAccounts } from "../core/accounts/LocalAccounts.ts"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { ClientServices } from "../core/clients/ClientServices.ts"
import { Connections } from "../core/consent/Connections.ts"
import { Consent } from "../core/consent/Consent.ts"
import { GrantServices } from "../core/grants/GrantServices.ts"
import { KeyRotation } from "../core/keys/KeyRotation.ts"
import { MasterKey } from "../core/keys/MasterKey.ts"
import { RefreshKeys } from "../core/keys/RefreshKeys.ts"
import { ServerKeys } from "../core/keys/ServerKeys.ts"
import { Signer } from "../core/keys/Signer.ts"
import { SigningKeys } from "../core/keys/SigningKeys.ts"
import { LegacyTraffic } from "../core/legacy/migration/LegacyTraffic.ts"
import { Migration } from "../core/legacy/migration/Migration.ts"
import { MigrationAudits } from "../core/legacy/migration/MigrationAudits.ts"
import { MigrationBoard } from "../core/legacy/migration/MigrationBoard.ts"
import { AccessCheck } from "../core/tokens/AccessCheck.ts"
import { AccessTokens } from "../core/tokens/AccessTokens.ts"
import { ImportedTokens } from "../core/tokens/ImportedTokens.ts"
import { Introspection } from "../core/tokens/Introspection.ts"
import { RefreshTokens } from "../core/tokens/RefreshTokens.ts"
import { ResourceServers } from "../core/tokens/ResourceServers.ts"
import { Revocation } from "../core/tokens/Revocation.ts"
import { TokenIssuer } from "../core/tokens/TokenIssuer.ts"
import { EndpointPolicy } from "../domain/scopes/EndpointPolicy.ts"
import { PageSession } from "../doors/account/PageSession.ts"
import { Admission } from "../doors/resource/Admission.ts"
import { Guard } from "../doors/resource/Guard.ts"
import { Outbox } from "../foundation/jobs/outbox/Outbox.ts"
import { ServicesIdentitySource } from "./OneIdentitySource.ts"

const Trail = Layer.mergeAll(AuditLog.layer, Outbox.layer)

const KeyServices = KeyRotation.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(SigningKeys.layer, RefreshKeys.layer, Signer.layer)),
  Layer.provideMerge(Layer.mergeAll(MasterKey.layer, ServerKeys.layer))
)

const TokenServices = Layer.mergeAll(AccessTokens.layer, ImportedTokens.layer, ResourceServers.layer).pipe(
  Layer.provideMerge(KeyServices)
)

/**
 * Every service of the server but its users, over its infrastructure: the settings and the database. Whoever composes a
 * server provides an `IdentitySource` beneath: a platform its own, a server without one `LocalAccounts`. A `CodeStore`
 * that is provided beneath takes the place of the one in the database.
 */
export const Services = Layer.mergeAll(
  Connections.layer,
  Consent.layer,
  Guard.layer,
  Introspection.layer,
  PageSession.layer,
  Revocation.layer,
  ServicesIdentitySource.layer,
  TokenIssuer.layer
).pipe(
  Layer.provideMerge(RefreshTokens.layer),
  Layer.provideMerge(Layer.mergeAll(Admission.layer, EndpointPolicy.layer)),
  Layer.provideMerge(AccessCheck.layer),
  Layer.provideMerge(Layer.mergeAll(Migration.layer, MigrationBoard.layer)),
  Layer.provideMerge(LegacyTraffic.layer),
  Layer.provideMerge(Layer.mergeAll(AccountServices, GrantServices, TokenServices)),
  Layer.provideMerge(ClientServices),
  Layer.provide(MigrationAudits.layerUsage),
  Layer.provideMerge(MigrationAudits.layer),
  Layer.provideMerge(Trail)
)

/** The services of a server with local accounts. */
export const LocalServices = Services.pipe(Layer.provideMerge(LocalAccounts))
