import { Layer } from "effect"
import { ClientAuthentication } from "./ClientAuthentication.ts"
import { ClientRegistry } from "./ClientRegistry.ts"
import { ClientsRepo } from "./ClientsRepo.ts"
import { DemoApp } from "./DemoApp.ts"
import { RefusedRequests } from "./RefusedRequests.ts"
import { SecretCheck } from "./SecretCheck.ts"
import { SecretVault } from "./SecretVault.ts"

// The services of this room, composed once for the server, the command line and the tests.

/** Clients and their secrets in the database, without the review: enough for the command line. */
export const StoredClients = Layer.mergeAll(SecretCheck.layer, SecretVault.layer).pipe(
  Layer.provideMerge(ClientsRepo.layer)
)

/** Everything about clients: registration and review, authentication, and the record of refused requests. */
export const ClientServices = Layer.mergeAll(
  ClientAuthentication.layer,
  ClientRegistry.layer,
  DemoApp.layer,
  RefusedRequests.layer
).pipe(Layer.provideMerge(StoredClients))
