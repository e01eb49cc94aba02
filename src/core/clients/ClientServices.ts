import { Layer } from "effect"
import { ClientAuthentication } from "./ClientAuthentication.ts"
import { ClientRegistry } from "./ClientRegistry.ts"
import { ClientsRepo } from "./ClientsRepo.ts"
import { DemoApp } from "./DemoApp.ts"
import { RefusedRequests } from "./RefusedRequests.ts"
import { SecretCheck } from "./SecretCheck.ts"
import { SecretVault } from "./SecretVault.ts"

// The services of this room, composed once: the server, the command line and the tests choose what they need.

/** Clients and their secrets as they are kept, without review and without mails. */
export const StoredClients = Layer.mergeAll(SecretCheck.layer, SecretVault.layer).pipe(
  Layer.provideMerge(ClientsRepo.layer)
)

/** Everything about clients: their registration and review, their authentication, why their requests were refused. */
export const ClientServices = Layer.mergeAll(
  ClientAuthentication.layer,
  ClientRegistry.layer,
  DemoApp.layer,
  RefusedRequests.layer
).pipe(Layer.provideMerge(StoredClients))
