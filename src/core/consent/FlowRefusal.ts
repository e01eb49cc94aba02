import type { Client } from "../clients/records/Client.ts"
import * as RedirectUri from "../clients/records/RedirectUri.ts"
import type { Unredirectable } from "./AuthorizationRequest.ts"

/** An authorization request, or the decision about one, that ends on a page of this server: no app may learn of it. */
export interface FlowRefusal {
  readonly reason:
    | Unredirectable["reason"]
    | "client-test"
    | "document-refused"
    | "question-closed"
    | "decision-missing"
    | "request-faulty"
  /** Client of the request, where it names one that there is. */
  readonly client: Client | undefined
}

/** Parameter at fault. */
export const parameterOf = (reason: FlowRefusal["reason"]): string | undefined =>
  reason.startsWith("redirect-uri-")
    ? "redirect_uri"
    : reason === "client-missing" || reason === "client-repeated" || reason === "client-unknown" ||
        reason === "document-refused"
    ? "client_id"
    : reason === "decision-missing"
    ? "decision"
    : undefined

/** What the owner of the app and support read; `redirectUri` is the one that was sent. */
export const causeOf = (reason: FlowRefusal["reason"], redirectUri?: string): string =>
  reason === "redirect-uri-unregistered" && redirectUri !== undefined
    ? `redirect_uri is not registered: ${RedirectUri.withoutSecrets(redirectUri)}`
    : causes[reason]

const causes: Readonly<Record<FlowRefusal["reason"], string>> = {
  "query-malformed": "the query is not valid percent-encoded UTF-8 text",
  "client-missing": "client_id is missing",
  "client-repeated": "client_id is repeated",
  "client-unknown": "no app has this client_id",
  "redirect-uri-missing": "redirect_uri is missing",
  "redirect-uri-repeated": "redirect_uri is repeated",
  "redirect-uri-unregistered": "redirect_uri is not registered",
  "client-pending": "the app cannot be used: it is pending",
  "client-rejected": "the app cannot be used: it is rejected",
  "client-suspended": "the app cannot be used: it is suspended",
  "document-refused": "the document at client_id cannot be taken",
  "request-faulty": "the request has a mistake, and its app was never approved",
  "client-test": "the app is a test app, and the user is neither its owner nor a guest who has accepted",
  "question-closed": "the question was answered before, has expired, or belongs to another session",
  "decision-missing": "the form says neither allow nor deny"
}
