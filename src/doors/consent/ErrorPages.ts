import type { Client } from "../../core/clients/records/Client.ts"
import type { Unredirectable } from "../../core/consent/AuthorizationRequest.ts"
import type { UserId } from "../../domain/Ids.ts"
import { html } from "../../foundation/web/Html.ts"
import { failurePage } from "../../foundation/web/Layout.ts"
import { type Message, text } from "../../foundation/web/Message.ts"
import { appHead } from "../parts/AppHead.ts"
import { connectionsPath } from "./ConnectionsAddress.ts"

const toConnections = { href: connectionsPath, label: text("flow.yourConnections") }

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
      ? { href: `/settings/apps/${encodeURIComponent(client.id)}`, label: text("flow.openSettings") }
      : websiteOf(client)
  })
}

const wasApproved = ({ status }: Client): boolean => status === "approved" || status === "suspended"

// An imported app may have no website (specification §5.6).
const websiteOf = ({ website }: Client) =>
  URL.canParse(website) ? { href: website, label: text("flow.backTo", { host: new URL(website).host }) } : toConnections

/** Shown after a decision on a question that is not open any more. */
export const questionClosedPage = failurePage({
  status: 410,
  title: text("flow.questionClosed"),
  what: text("flow.questionClosed.what"),
  remedy: text("flow.questionClosed.remedy"),
  next: toConnections
})

/** Shown after a form without a decision, which our page does not send. */
export const noDecisionPage = failurePage({
  status: 400,
  title: text("failure.notUnderstood"),
  what: text("flow.noDecision.what"),
  remedy: text("flow.noDecision.remedy"),
  next: toConnections
})

const broken = (what: Message) => ({
  status: 400,
  title: text("flow.broken"),
  what,
  remedy: text("flow.broken.remedy")
})

const unusable = (what: Message, remedy: Message) => ({ status: 403, title: text("flow.unusable"), what, remedy })

const failures = {
  "query-malformed": broken(text("flow.queryMalformed")),
  "client-missing": broken(text("flow.clientMissing", { parameter: "client_id" })),
  "client-repeated": broken(text("flow.clientRepeated", { parameter: "client_id" })),
  "client-unknown": broken(text("flow.clientUnknown", { parameter: "client_id" })),
  "redirect-uri-missing": broken(text("flow.redirectUriMissing", { parameter: "redirect_uri" })),
  "redirect-uri-repeated": broken(text("flow.redirectUriRepeated", { parameter: "redirect_uri" })),
  "redirect-uri-unregistered": broken(text("flow.redirectUriUnregistered", { parameter: "redirect_uri" })),
  "client-pending": unusable(text("flow.clientPending"), text("flow.clientPending.remedy")),
  "client-rejected": unusable(text("flow.clientRejected"), text("flow.clientRejected.remedy")),
  "client-suspended": unusable(text("flow.clientSuspended"), text("flow.clientSuspended.remedy"))
} as const
