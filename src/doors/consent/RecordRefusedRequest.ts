import type { RefusedRequests } from "../../core/clients/life/RefusedRequests.ts"
import * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import type { Unredirectable, UnvalidatedRequest } from "../../core/consent/AuthorizationRequest.ts"

/** Tells the owner of an app why its users saw an error page instead of returning to the app. */
export const recordRefusedRequest =
  (refusedRequests: RefusedRequests["Service"], { clientId, redirectUri }: UnvalidatedRequest) =>
  ({ reason }: Unredirectable) =>
    refusedRequests.record({
      clientId,
      endpoint: "authorize",
      error: reason,
      reason: reason === "redirect-uri-unregistered"
        ? `redirect_uri is not registered: ${RedirectUri.withoutSecrets(redirectUri)}`
        : `the app cannot be used: ${reason.replace("client-", "it is ")}`
    })
