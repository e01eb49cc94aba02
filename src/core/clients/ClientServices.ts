import { Layer } from "effect"
import { ClientAuthentication } from "./ClientAuthentication.ts"
import { ClientRegistry } from "./ClientRegistry.ts"
import { ClientReview } from "./ClientReview.ts"
import { ClientsRepo } from "./ClientsRepo.ts"
import { DemoApp } from "./DemoApp.ts"
import { Logos } from "./Logos.ts"
import { MissingLogos } from "./MissingLogos.ts"
import { RefusedRequests } from "./RefusedRequests.ts"
import { ReviewChecks } from "./ReviewChecks.ts"
import { SecretCheck } from "./SecretCheck.ts"
import { SecretVault } from "./SecretVault.ts"

// Services of this room, composed once for the server, the command line and the tests.

/** Clients with their logos and secrets in the database, without the review: enough for the command line. */
export const StoredClients = Layer.mergeAll(Logos.layer, SecretCheck.layer, SecretVault.layer).pipe(
  Layer.provideMerge(ClientsRepo.layer)
)

/** Everything about clients: registration and review, authentication, and the record of refused requests. */
export const ClientServices = Layer.mergeAll(
  ClientAuthentication.layer,
  ClientRegistry.layer,
  ClientReview.layer,
  DemoApp.layer,
  MissingLogos.layer,
  RefusedRequests.layer,
  ReviewChecks.layer
).pipe(Layer.provideMerge(StoredClients))
