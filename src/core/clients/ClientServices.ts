import { Layer } from "effect"
import { ClientDocuments } from "./documents/ClientDocuments.ts"
import { TrustedHosts } from "./documents/TrustedHosts.ts"
import { DynamicServices } from "./dynamic/DynamicServices.ts"
import { AppEvents } from "./events/AppEvents.ts"
import { ClientRegistry } from "./life/ClientRegistry.ts"
import { RefusedRequests } from "./life/RefusedRequests.ts"
import { RegistrationDrafts } from "./life/RegistrationDrafts.ts"
import { Logos } from "./logos/Logos.ts"
import { MissingLogos } from "./logos/MissingLogos.ts"
import { ClientsRepo } from "./records/ClientsRepo.ts"
import { ReviewDesk } from "./review/ReviewDesk.ts"
import { ReviewWishes } from "./review/ReviewWishes.ts"
import { ClientAuthentication } from "./secrets/ClientAuthentication.ts"
import { SecretCheck } from "./secrets/SecretCheck.ts"
import { SecretVault } from "./secrets/SecretVault.ts"

// Services of this room, composed once for the server, the command line and the tests.

/** Clients with their logos, drafts, secrets and events in the database, without the review: for the command line. */
export const StoredClients = Layer.mergeAll(
  AppEvents.layer,
  Logos.layer,
  RegistrationDrafts.layer,
  SecretCheck.layer,
  SecretVault.layer
).pipe(
  Layer.provideMerge(ClientsRepo.layer)
)

/**
 * Everything about clients but their review, which looks at grants, too (`ClientReview`): registration, authentication,
 * and the record of refused requests.
 */
export const ClientServices = Layer.mergeAll(
  ClientDocuments.layer,
  ClientAuthentication.layer,
  ClientRegistry.layer,
  DynamicServices,
  MissingLogos.layer,
  RefusedRequests.layer,
  ReviewDesk.layer,
  ReviewWishes.layer
).pipe(Layer.provideMerge(TrustedHosts.layer), Layer.provideMerge(StoredClients))
