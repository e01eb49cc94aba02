import type { HttpServerResponse } from "effect/http"
import type { Unredirectable } from "../../core/consent/AuthorizationRequest.ts"
import { failurePage } from "../../foundation/web/Layout.ts"

/** Shown when the browser must not be redirected to the app. */
export const unredirectablePage = ({ reason }: Unredirectable): HttpServerResponse.HttpServerResponse =>
  failurePage(failures[reason])

/** Shown after a decision on a question that is not open any more. */
export const questionClosedPage: HttpServerResponse.HttpServerResponse = failurePage({
  status: 410,
  title: "This question is closed",
  what: "This question was answered before, or it waited too long. Nothing was changed now.",
  remedy: "Go back to the app. If it does not have the access that you wanted to give, start again from there."
})

/** Shown after a form without a decision, which our page does not send. */
export const noDecisionPage: HttpServerResponse.HttpServerResponse = failurePage({
  status: 400,
  title: "Not understood",
  what: "The form says neither Allow nor Deny. Nothing was changed.",
  remedy: "Go back, load the page anew and try again."
})

const appAtFault = "The app that sent you here made a mistake. Nothing was shared with it. Please tell its makers."

const broken = (what: string) => ({ status: 400, title: "This link does not work", what, remedy: appAtFault })

const unusable = (what: string, remedy: string) => ({ status: 403, title: "This app cannot be used", what, remedy })

const failures = {
  "query-malformed": broken("The address contains a parameter that is not valid percent-encoded UTF-8 text."),
  "client-missing": broken("The address does not say which app sent you: client_id is missing."),
  "client-repeated": broken("The address names more than one app: client_id is repeated."),
  "client-unknown": broken("No app is registered here under this client_id."),
  "redirect-uri-missing": broken("The address does not say where to return to: redirect_uri is missing."),
  "redirect-uri-repeated": broken("The address names more than one place to return to: redirect_uri is repeated."),
  "redirect-uri-unregistered": broken(
    "The app wants you to return to an address that is not registered for it (redirect_uri). It may not be who it claims to be."
  ),
  "client-pending": unusable(
    "The app waits for its review. Until an administrator has approved it, nobody can give it access.",
    "Try again later. If it is your app, its state is shown in your settings."
  ),
  "client-rejected": unusable(
    "The app was reviewed and not approved, so nobody can give it access.",
    "If it is your app, the reason is shown in your settings, where you can change it and submit it again."
  ),
  "client-suspended": unusable(
    "An administrator has stopped this app, so nobody can give it access.",
    "Nothing was shared with it. If it is your app, the reason is shown in your settings."
  )
} as const
