import type { Rejections } from "../clients/Rejections.ts"
import type { Query, Unredirectable } from "./AuthorizationRequest.ts"

/** Notes for the owner of an app why its users saw a page of ours instead of coming back to it. */
export const noteUnredirectable =
  (rejections: Rejections["Service"], { clientId, redirectUri }: Query) => ({ reason }: Unredirectable) =>
    rejections.note({
      clientId,
      endpoint: "authorize",
      error: reason,
      reason: reason === "redirect-uri-unregistered"
        ? `redirect_uri is not registered: ${withoutQuery(redirectUri)}`
        : `the app cannot be used: ${reason.replace("client-", "it is ")}`
    })

// What an app puts into the query of its addresses is nobody's business.
const withoutQuery = (uri: string): string => uri.replace(/[?#].*$/s, "?…").replace(/[/][/][^/@]*@/, "//…@")
