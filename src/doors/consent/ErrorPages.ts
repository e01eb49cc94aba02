import type { Client } from "../../core/clients/records/Client.ts"
import { causeOf, type FlowRefusal, parameterOf } from "../../core/consent/FlowRefusal.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { failurePage } from "../../foundation/web/Layout.ts"
import { english, type Message, text } from "../../foundation/web/Message.ts"
import { appHead } from "../parts/AppHead.ts"
import { appPath } from "../parts/Paths.ts"
import { connectionsPath } from "./ConnectionsAddress.ts"

interface FlowRefusalView extends FlowRefusal {
  /** Cause as it is kept, with what was sent. */
  readonly cause: string
  /** Event in other words than those of the reason. */
  readonly what?: Phrase | undefined
}

/**
 * Shown when the browser must not be redirected to the app. It names the app, and leads to its website, never to an
 * address of the request. Only its owners see an app that no reviewer has approved, whose name could be any text, and
 * what was sent.
 */
export const flowRefusalPage = ({ cause, client, reason, what }: FlowRefusalView, isOwn: boolean) => {
  const failure = { ...failures[reason], ...(what === undefined ? {} : { what }) }
  // Nobody here owns an app that came by itself: who makes it reads the cause in its own browser.
  const isTold = isOwn || reason === "document-refused" || reason === "request-faulty"
  const about = aboutCause(reason, isTold ? cause : causeOf(reason))
  if (client === undefined || !isOwn && !wasApproved(client)) {
    return failurePage({ ...failure, about, next: toConnections })
  }
  return failurePage({
    ...failure,
    about,
    head: appHead(client, html`<div class="app-name">${client.name}</div>`),
    next: isOwn ? { href: appPath(client.id), label: text("flow.openSettings") } : websiteOf(client)
  })
}

const toConnections = { href: connectionsPath, label: text("flow.yourConnections") }

// Nobody has reviewed a test app.
const wasApproved = ({ isTestApp, status }: Client): boolean =>
  !isTestApp && (status === "approved" || status === "suspended")

// An imported app may have no website (specification §5.6).
const websiteOf = ({ website }: Client) =>
  URL.canParse(website) ? { href: website, label: text("flow.backTo", { host: new URL(website).host }) } : toConnections

/** What the owner of the app needs in order to mend it, folded: users have no use for it. */
const aboutCause = (reason: FlowRefusal["reason"], cause: string) => (reference: string): Html => {
  const parameter = parameterOf(reason)
  return html`<details class="failure-cause">
<summary>${text("flow.forOwner")}</summary>
<dl class="facts">
<dt>${text("refusals.error")}</dt><dd><code>${reason}</code></dd>
${
    parameter === undefined
      ? nothing
      : html`<dt>${text("flow.parameter")}</dt><dd><code>${parameter}</code></dd>\n`
  }<dt>${text("refusals.cause")}</dt><dd>${english(cause)}</dd>
<dt>${text("refusals.reference")}</dt><dd><code>${reference}</code></dd>
</dl>
<p>${text("flow.forOwner.find")}</p>
</details>`
}

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
  "client-suspended": unusable(text("flow.clientSuspended"), text("flow.clientSuspended.remedy")),
  "client-test": {
    status: 403,
    title: text("testApp.strangers"),
    what: text("testApp.strangers.what"),
    remedy: text("testApp.strangers.remedy")
  },
  "document-refused": {
    status: 400,
    title: text("flow.unusable"),
    what: text("flow.documentRefused"),
    remedy: text("flow.documentRefused.remedy")
  },
  "request-faulty": broken(text("flow.requestFaulty")),
  /** Answers a decision on a question that is not open any more. */
  "question-closed": {
    status: 410,
    title: text("flow.questionClosed"),
    what: text("flow.questionClosed.what"),
    remedy: text("flow.questionClosed.remedy")
  },
  /** Answers a form without a decision, which our page does not send. */
  "decision-missing": {
    status: 400,
    title: text("failure.notUnderstood"),
    what: text("flow.noDecision.what"),
    remedy: text("flow.noDecision.remedy")
  }
} as const
