import { DateTime, Duration, type Option } from "effect"
import { type Client } from "../../core/clients/records/Client.ts"
import * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import { requestLifetime } from "../../core/clients/review/ReviewWishes.ts"
import type { Waiting } from "../../core/clients/review/Waiting.ts"
import type { Awaited } from "../../core/consent/Arrivals.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { judge } from "../../domain/catalogue/Judgement.ts"
import { brandName } from "../../foundation/web/BrandText.ts"
import { dateText, durationText } from "../../foundation/web/DateText.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { failurePage, page, type Viewer } from "../../foundation/web/Layout.ts"
import { muted, strong, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { area } from "../../foundation/web/TextArea.ts"
import { dangerText, summaryText } from "../parts/RiskText.ts"
import { usualReviewText, waitingView } from "../parts/WaitingView.ts"
import type { Visitor } from "../session/PageSession.ts"
import { connectionsPath } from "./ConnectionsAddress.ts"
import { formTargets, switchAccountPath } from "./ConsentView.ts"
import { rightsList } from "./RightsView.ts"

// Page of a user who waits for the review of an app that nobody registered, or of what it asks for more.

export interface WaitingPage {
  readonly catalogue: Catalogue
  readonly visitor: Visitor
  readonly awaited: Awaited
  /** Place in the queue of what waits. */
  readonly place: Option.Option<Waiting>
  /** Time that a review takes; `undefined` where that cannot be said. */
  readonly usual: Duration.Duration | undefined
  /** Seconds after which the page looks again by itself; `undefined` if it does not. */
  readonly looksAgain: number | undefined
  /** True where the user has turned that off. */
  readonly isStill: boolean
  /** Form that comes back. */
  readonly failed?: { readonly problem: BadRequest | Conflict; readonly reason: string } | undefined
}

export const waitingPath = (id: string): string => `/auth/oauth2/waiting/${id}`

/** Query of the page that does not look again by itself. */
export const still = "still"

const stillQuery = `?${still}=1`

export const waitingPage = (view: WaitingPage) => {
  const { awaited: { client, sent, standing }, failed, visitor: { viewer } } = view
  const title = titleOf(view)
  return page({
    title: text("waitingApp.pageTitle", { title, app: nameOf(client) }),
    viewer,
    problem: failed?.problem,
    // The form that leads back to the app is there for an approved one alone.
    formTargets: mayGoBack(view) ? formTargets(sent.redirectUri) : [],
    body: html`<article class="consent awaited">
<h1>${title}</h1>
${standing._tag === "Open" ? open(view) : standing._tag === "Waits" ? waits(view) : refused(view, standing)}
</article>`
  })
}

/** Page of a kept request whose app was approved meanwhile: it does not go on by itself after a long time. */
export const approvedPage = (
  { awaited: { client, request }, visitor: { account, viewer } }: Pick<WaitingPage, "awaited" | "visitor">,
  location: string
) => {
  const title = text("waitingApp.approved")
  return page({
    title: text("waitingApp.pageTitle", { title, app: nameOf(client) }),
    viewer,
    body: html`<article class="consent awaited">
<h1>${title}</h1>
<p>${text("waitingApp.approved.what", { app: html`<bdi>${nameOf(client)}</bdi>`, strong })}</p>
<p>${text("waitingApp.approved.old", { at: dateText(request.keptAt, account) })}</p>
<p class="actions"><a href="${location}" class="button">${text("waitingApp.goOn")}</a></p>
</article>`
  })
}

/** In place of a request that is not kept any more, or whose app is gone. */
export const waitingOverPage = (viewer: Viewer) =>
  failurePage({
    status: 410,
    title: text("waitingApp.over"),
    what: text("waitingApp.over.what", { time: durationText(requestLifetime) }),
    remedy: text("waitingApp.over.remedy"),
    next: { href: connectionsPath, label: text("flow.yourConnections") },
    viewer
  })

/** Host by whose document an app is known, or else the name that it gives itself. */
const nameOf = ({ id, name, origin }: Client): string =>
  origin === "document" && URL.canParse(id) ? new URL(id).host : name

const isApproved = ({ awaited: { client } }: Pick<WaitingPage, "awaited">): boolean => client.status === "approved"

/** Tells whether the app may hear that it does not get what it asks for: one that is approved, at its own address. */
export const mayGoBack = ({ awaited: { client, sent } }: Pick<WaitingPage, "awaited">): boolean =>
  client.status === "approved" && RedirectUri.matches(client.redirectUris, sent.redirectUri)

const titleOf = (view: WaitingPage): Html => {
  const { awaited: { standing } } = view
  if (standing._tag === "Waits") return text("waitingApp.waits")
  if (standing._tag === "Open") return text(isApproved(view) ? "waitingApp.more" : "waitingApp.new")
  return text(isApproved(view) ? "waitingApp.refusedMore" : "waitingApp.refused")
}

const open = (view: WaitingPage): Html => {
  const { awaited: { request }, failed, usual, visitor: { account, viewer } } = view
  return html`${
    notice(
      "warning",
      html`<p>${
        isApproved(view)
          ? text("waitingApp.more.what", { brand: html`<bdi>${brandName}</bdi>` })
          : text("waitingApp.new.what", { brand: html`<bdi>${brandName}</bdi>`, strong })
      }</p>`
    )
  }
${about(view)}
${wants(view, true)}
<section aria-labelledby="ask">
<h2 id="ask">${text("waitingApp.ask")}</h2>
<p>${text("waitingApp.ask.what")}${usual === undefined ? nothing : html` ${usualReviewText(usual)}`}</p>
${alert(failed?.problem)}
<form method="post" action="${waitingPath(request.id)}/ask">
${csrfField(viewer)}
${
    area(
      {
        name: "reason",
        label: text("waitingApp.reason"),
        hint: text("waitingApp.reason.hint"),
        rows: 3,
        value: failed?.reason ?? viewer.restored?.fields.get("reason") ?? ""
      },
      failed?.problem.details ?? []
    )
  }
<p class="actions"><button>${text("waitingApp.ask")}</button></p>
</form>
<p class="muted">${text("waitingApp.ask.orNot")}</p>
</section>
${goBack(view)}
${who(view, account)}`
}

const waits = (view: WaitingPage): Html => {
  const { awaited: { request, wish }, place, visitor: { account } } = view
  return html`<p>${text(isApproved(view) ? "waitingApp.waits.more" : "waitingApp.waits.what")}</p>
${waitingView(place)}
${looking(view)}
<p>${text("waitingApp.mail", { email: account.email, until: dateText(request.expiresAt, account), strong })}</p>
${about(view)}
${wants(view, false)}
${
    wish === undefined
      ? nothing
      : html`<p class="muted">${text("waitingApp.yourReason")}</p><blockquote class="lines">${wish.reason}</blockquote>`
  }
${goBack(view)}
${who(view, account)}`
}

/** Says whether the page goes on by itself, and lets the reader choose. */
const looking = ({ awaited: { request }, isStill, looksAgain }: WaitingPage): Html => {
  const here = waitingPath(request.id)
  const stillHere = `${here}${stillQuery}`
  return looksAgain === undefined
    ? html`<p>${text(isStill ? "waitingApp.still" : "waitingApp.tooLong")}</p>
<p class="actions"><a href="${isStill ? stillHere : here}" class="button">${text("waitingApp.look")}</a>${
      isStill ? html` <a href="${here}">${text("waitingApp.byItself")}</a>` : nothing
    }</p>`
    : html`<p>${text("waitingApp.goesOn", { seconds: looksAgain })}</p>
<p class="actions"><a href="${stillHere}">${text("waitingApp.stop")}</a></p>`
}

const refused = (
  view: WaitingPage,
  standing: Awaited["standing"]
): Html => {
  const { awaited: { client, scopes }, catalogue, visitor: { account } } = view
  const reason = standing._tag === "Refused" ? standing.reason : null
  const missing = scopes.filter((scope) => !catalogue.covers(client.scopes, scope))
  return html`<p>${
    isApproved(view)
      ? text("waitingApp.refusedMore.what", { app: html`<bdi>${nameOf(client)}</bdi>` })
      : text("waitingApp.refused.what", { brand: html`<bdi>${brandName}</bdi>` })
  }</p>
${
    reason === null
      ? nothing
      : html`<p>${text("waitingApp.refused.reason")}</p><blockquote class="lines">${reason}</blockquote>`
  }
${isApproved(view) ? list(view, missing, text("waitingApp.refusedMore.missing")) : about(view)}
${goBack(view)}
${who(view, account)}`
}

/** What is known of the app, and what it says of itself. */
const about = ({ awaited: { client, sent } }: WaitingPage): Html => {
  const { host, protocol } = new URL(sent.redirectUri)
  const isWeb = protocol === "https:" || protocol === "http:"
  return html`<dl class="facts">
${
    client.origin === "document"
      ? html`<dt>${text("waitingApp.host")}</dt><dd><strong><bdi>${nameOf(client)}</bdi></strong></dd>`
      : nothing
  }
<dt>${text("waitingApp.name")}</dt><dd><bdi>${client.name}</bdi>${
    client.status === "approved" ? nothing : html` <span class="muted">${text("waitingApp.name.unchecked")}</span>`
  }</dd>
<dt>${text("waitingApp.leadsTo")}</dt><dd>${
    RedirectUri.isLoopback(sent.redirectUri)
      ? text("waitingApp.leadsTo.computer")
      : html`<bdi>${isWeb ? host : protocol}</bdi>`
  }</dd>
</dl>`
}

/** What the app asks for, in the words of the consent page. */
const wants = (view: WaitingPage, isOpen: boolean): Html => {
  const { awaited: { client, scopes }, catalogue } = view
  const missing = scopes.filter((scope) => !catalogue.covers(client.scopes, scope))
  const asked = client.status === "approved" && missing.length > 0 ? missing : scopes
  const label = text(client.status === "approved" ? "waitingApp.wants.more" : "waitingApp.wants")
  return isOpen
    ? list(view, asked, label)
    : html`<details><summary>${label}</summary>${rights(view, asked)}</details>`
}

const list = (view: WaitingPage, scopes: Awaited["scopes"], label: Html): Html =>
  html`<section aria-labelledby="wants">
<h2 id="wants">${label}</h2>
${rights(view, scopes)}
</section>`

const rights = ({ catalogue, visitor: { account } }: WaitingPage, scopes: Awaited["scopes"]): Html => {
  const judgement = judge(catalogue, scopes, account.organizationName)
  const { danger } = judgement
  return html`<p class="sum"><strong>${summaryText(judgement)}</strong></p>
${danger === undefined ? nothing : html`<p class="danger risk-${danger.risk}">${dangerText(catalogue, danger)}</p>`}
${rightsList({ catalogue, judgement, offer: nothingOffered, mark: () => nothing })}`
}

const nothingOffered = { scopes: [], withheld: [], isTicked: () => false }

/** An approved app keeps what it has, and hears that it does not get more. */
const goBack = (view: WaitingPage): Html => {
  const { awaited: { client, request }, visitor: { viewer } } = view
  return mayGoBack(view)
    ? html`<form method="post" action="${waitingPath(request.id)}/back">
${csrfField(viewer)}
<p>${text("waitingApp.back.what", { app: html`<bdi>${nameOf(client)}</bdi>` })}</p>
<button class="secondary">${text("waitingApp.back")}</button>
</form>`
    : nothing
}

const who = ({ awaited: { request }, visitor: { viewer } }: WaitingPage, account: Visitor["account"]): Html =>
  html`<form class="who" method="post" action="${switchAccountPath}">
${csrfField(viewer)}
<input type="hidden" name="return_to" value="${request.location}">
<p>${text("consent.signedInAs", { name: account.name, email: account.email, strong, muted })}</p>
<button class="link">${text("signIn.another")}</button>
</form>`

/** Seconds until the page looks again: the longer it has waited, the longer. */
export const intervalAfter = (waited: Duration.Duration): number =>
  Math.round(Math.min(longestInterval, Math.max(shortestInterval, Duration.toSeconds(waited) / 4)))

/** Time for which a page looks again by itself, and in which a request goes on without a word. */
export const longestWait = Duration.hours(1)

/** Seconds. */
const shortestInterval = 10
const longestInterval = 120

/** Tells whether a request is too old to go on without a word. */
export const isOld = (since: DateTime.Utc, now: DateTime.Utc): boolean =>
  Duration.isGreaterThan(DateTime.distance(since, now), longestWait)
