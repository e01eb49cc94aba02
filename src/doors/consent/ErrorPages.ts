import type { Client } from "../../core/clients/records/Client.ts"
import type { Unredirectable } from "../../core/consent/AuthorizationRequest.ts"
import type { UserId } from "../../domain/Ids.ts"
import { html } from "../../foundation/web/Html.ts"
import { failurePage } from "../../foundation/web/Layout.ts"
import { appHead } from "../parts/AppHead.ts"
import { connectionsPath } from "./ConnectionsView.ts"

const toConnections = { href: connectionsPath, label: "Your connected apps" }

/**
 * Shown when the browser must not be redirected to the app. It names the app, and leads to its website, never to an
 * address of the request. Only its owner sees an app that no reviewer has approved: its name could be any text.
 */
export const unredirectablePage = ({ client, reason }: Unredirectable, visitor: UserId | undefined) => {
  const failure = failures[reason]
  const isOwn = client !== undefined && client.ownerId === visitor
  if (client === undefined || !isOwn && !wasApproved(client)) return failurePage({ ...failure, next: toConnections })
  return failurePage({
    ...failure,
    head: appHead(client, html`<div class="app-name">${client.name}</div>`),
    next: isOwn
      ? { href: `/settings/apps/${encodeURIComponent(client.id)}`, label: "Open its settings" }
      : websiteOf(client)
  })
}

const wasApproved = ({ status }: Client): boolean => status === "approved" || status === "suspended"

// An imported app may have no website (specification §5.6).
const websiteOf = ({ website }: Client) =>
  URL.canParse(website) ? { href: website, label: `Back to ${new URL(website).host}` } : toConnections

/** Shown after a decision on a question that is not open any more. */
export const questionClosedPage = failurePage({
  status: 410,
  title: "This question is closed",
  what: "This question was answered before, or it waited too long. Nothing was changed now.",
  remedy: "Go back to the app. If it does not have the access that you wanted to give, start again from there.",
  next: toConnections
})

/** Shown after a form without a decision, which our page does not send. */
export const noDecisionPage = failurePage({
  status: 400,
  title: "Not understood",
  what: "The form says neither Allow nor Deny. Nothing was changed.",
  remedy: "Go back, load the page anew and try again.",
  next: toConnections
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
