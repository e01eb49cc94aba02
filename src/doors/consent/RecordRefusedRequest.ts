import type { RefusedRequests } from "../../core/clients/RefusedRequests.ts"
import type { Query, Unredirectable } from "../../core/consent/AuthorizationRequest.ts"

/** Notes for the owner of an app why its users saw a page of ours instead of coming back to it. */
export const recordRefusedRequest =
  (refusedRequests: RefusedRequests["Service"], { clientId, redirectUri }: Query) => ({ reason }: Unredirectable) =>
    refusedRequests.record({
      clientId,
      endpoint: "authorize",
      error: reason,
      reason: reason === "redirect-uri-unregistered"
        ? `redirect_uri is not registered: ${withoutQuery(redirectUri)}`
        : `the app cannot be used: ${reason.replace("client-", "it is ")}`
    })

// What an app puts into the query of its addresses is nobody's business.
const withoutQuery = (uri: string): string => uri.replace(/[?#].*$/s, "?…").replace(/[/][/][^/@]*@/, "//…@")
