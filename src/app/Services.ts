import { Effect, Layer } from "effect"
import { AccountServices } from "../core/accounts/AccountServices.ts"
import { LocalAccounts } from "../core/accounts/LocalAccounts.ts"
import { LocalUsers } from "../core/accounts/LocalUsers.ts"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { Agreement } from "../core/catalogue/Agreement.ts"
import { ClientServices } from "../core/clients/ClientServices.ts"
import { EventEndpoints } from "../core/clients/events/EventEndpoints.ts"
import { OwnerServices } from "../core/clients/owners/OwnerServices.ts"
import { ClientReview } from "../core/clients/review/ClientReview.ts"
import { SealedSecrets } from "../core/clients/secrets/SealedSecrets.ts"
import { TestAppServices } from "../core/clients/testapps/TestAppServices.ts"
import { ConsentServices } from "../core/consent/ConsentServices.ts"
import { GrantServices } from "../core/grants/GrantServices.ts"
import { KeyServices } from "../core/keys/KeyServices.ts"
import { IntrospectedTokens } from "../core/legacy/introspection/IntrospectedTokens.ts"
import { MigrationAudits } from "../core/legacy/migration/MigrationAudits.ts"
import { MigrationServices } from "../core/legacy/migration/MigrationServices.ts"
import { LimitServices } from "../core/limits/LimitServices.ts"
import { Resources } from "../core/resources/Resources.ts"
import { ImportedTokens } from "../core/tokens/ImportedTokens.ts"
import { TokenServices } from "../core/tokens/TokenServices.ts"
import { CountedUsage } from "../core/usage/CountedUsage.ts"
import { ReportedUsage } from "../core/usage/ReportedUsage.ts"
import { UsageReports } from "../core/usage/UsageReports.ts"
import { EndpointPolicy } from "../domain/catalogue/EndpointPolicy.ts"
import { ProxyIdentitySource } from "../doors/identity/ProxyIdentitySource.ts"
import { Admission } from "../doors/resource/Admission.ts"
import { Guard } from "../doors/resource/Guard.ts"
import { PageSession } from "../doors/session/PageSession.ts"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import { Outbox } from "../foundation/jobs/outbox/Outbox.ts"
import { refusingIgnored } from "./IgnoredServices.ts"
import { ServicesIdentitySource } from "./OneIdentitySource.ts"

const Trail = Layer.mergeAll(AuditLog.layer, Outbox.layer)

/** Catalogues that count beside the node's own, for what reads scopes of tokens and calls. */
const Others = Layer.provide(Agreement.layerOthers, Agreement.layer)

const ServerAdmission = Layer.unwrap(Effect.gen(function*() {
  const { baseUrl } = yield* AppConfig
  return Admission.layerAt(baseUrl, { baseScopes: (yield* Resources).baseScopesOf(null) })
})).pipe(
  Layer.provide(Others),
  Layer.merge(Agreement.layer)
)

/** Services that are built while an embedded database opens. All others need the database, or take no time. */
export const WithoutDatabase = EndpointPolicy.layer

/**
 * Every service of the server but its users, over its infrastructure: the settings and the database. A program that
 * composes a server provides an `IdentitySource` beneath: a platform its own, a server without one `LocalAccounts`. Two
 * more may be replaced by one beneath: `SignInMethods`, the ways to sign in elsewhere, and `CodeStore`, where
 * authorization codes are kept. Any other service that is provided beneath stops the start, because nothing would ask
 * it (docs/embedding.md).
 */
export const Services = refusingIgnored(
  Layer.mergeAll(
    Layer.provide(ConsentServices, Agreement.layerOthers),
    Guard.layer,
    PageSession.layer,
    ServicesIdentitySource.layer
  ).pipe(
    Layer.provideMerge(Layer.mergeAll(ServerAdmission, WithoutDatabase)),
    Layer.provideMerge(MigrationServices),
    Layer.provideMerge(Layer.mergeAll(AccountServices, Layer.provide(TokenServices, Others))),
    Layer.provide(Layer.provide(IntrospectedTokens, ImportedTokens.layer)),
    Layer.provideMerge(Layer.mergeAll(CountedUsage, ReportedUsage.layer, UsageReports.layer)),
    Layer.provideMerge(
      Layer.mergeAll(ClientReview.layer, OwnerServices, Resources.layer, SealedSecrets.layer, TestAppServices)
    ),
    Layer.provideMerge(Layer.merge(EventEndpoints.layer, GrantServices)),
    Layer.provideMerge(ClientServices),
    Layer.provide(MigrationAudits.layerUsage),
    Layer.provideMerge(Layer.mergeAll(KeyServices, LimitServices, MigrationAudits.layer)),
    Layer.provideMerge(Layer.merge(LocalUsers.layer, Trail))
  )
)

/** Services of a server with local accounts. */
export const LocalServices = Layer.provideMerge(
  Services,
  Layer.provideMerge(ProxyIdentitySource, LocalAccounts)
)
