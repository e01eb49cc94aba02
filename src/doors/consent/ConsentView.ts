import type { Option } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import type { Client } from "../../core/clients/records/Client.ts"
import type { Choice } from "../../core/consent/Choice.ts"
import type { Question } from "../../core/consent/Consent.ts"
import type { Usage } from "../../core/grants/Usage.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { judge } from "../../domain/catalogue/Judgement.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { alert, csrfField, titleWithErrors } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { page } from "../../foundation/web/Layout.ts"
import { muted, strong, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { dangerText, summaryText, wantsText } from "../parts/RiskText.ts"
import type { Visitor } from "../session/PageSession.ts"
import { appFacts, appLinks, warnings } from "./AskingApp.ts"
import { buttons, destination, endChoice, type GrantLifetimes } from "./DecisionView.ts"
import { isNamed, onlyAdministrator, organizationOf, passOn } from "./PassOnView.ts"
import { rightItems, rightsList } from "./RightsView.ts"

interface ConsentPageOptions {
  readonly catalogue: Catalogue
  readonly client: Client
  /** Owner of the app, if they still have an account. */
  readonly owner: Option.Option<Account>
  readonly users: Usage
  readonly lifetimes: GrantLifetimes
  readonly question: Question
  readonly visitor: Visitor
  /** Path of this page, to return to with another account. */
  readonly path: string
  /** Choice of the form that comes back, because nothing was ticked. */
  readonly faulty?: FaultyChoice | undefined
}

/** What is kept of a choice that gave nothing, and why it did not. */
export interface FaultyChoice extends Pick<Choice, "end"> {
  readonly why: "nothing-chosen" | "organization-decides"
}

export const decisionPath = "/auth/oauth2/decision"
export const switchAccountPath = "/auth/oauth2/switch-account"

/** Asks the user to allow or deny what the app requests. */
export const consentPage = (options: ConsentPageOptions) => {
  const { client, faulty, question } = options
  const title = text("consent.title", { app: client.name })
  return page({
    title: faulty === undefined ? title : titleWithErrors(1, title),
    status: faulty === undefined ? 200 : faulty.why === "nothing-chosen" ? 400 : 403,
    body: body(options),
    formTargets: formTargets(question.request.redirectUri)
  })
}

/**
 * The question in the order in which people decide: who asks for what, what is dangerous, all of it, and for how long.
 * One form holds all of it, so that its last part stays in view wherever the page is scrolled to.
 */
const body = (options: ConsentPageOptions): Html => {
  const { catalogue, client, faulty, lifetimes, path, question, visitor } = options
  const { grants, id, offered, request, withheld } = question
  const { account, viewer } = visitor
  const { asked, held } = parts(options)
  const judgement = judge(catalogue, asked, account.organizationName)
  const allowable = (asked ?? []).filter((scope) => !withheld.includes(scope))
  const mayAllow = question.mayAllow && (held.length === 0 || allowable.length > 0)
  const isHeld = (scope: ScopeName) => grants.some((grant) => catalogue.covers(grant.scopes, scope))
  const wasDeclined = (scope: ScopeName) => grants.some(({ declined }) => declined?.includes(scope))
  const offer = {
    scopes: mayAllow ? offered.filter((scope) => !withheld.includes(scope)) : [],
    withheld: mayAllow ? withheld : [],
    isTicked: (scope: ScopeName) =>
      faulty === undefined && (isHeld(scope) || !wasDeclined(scope) && catalogue.riskOf(scope) < 3)
  }
  // Beside Allow stands what it can do, without what this user can't give.
  const given = mayAllow && withheld.length > 0 ? judge(catalogue, allowable, account.organizationName) : judgement
  const { danger } = given
  return html`<article class="consent">
<form class="decision" method="post" action="${decisionPath}">
<button formmethod="dialog" hidden></button>
${csrfField(viewer)}
<input type="hidden" name="request" value="${id}">
<input type="hidden" name="client_id" value="${client.id}">
${appFacts(options, wantsText(html`<span class="app-name">${client.name}</span>`, judgement))}
${faulty === undefined ? nothing : alert(faultText(faulty, account))}
${warnings(options, given)}
${mayAllow && withheld.length === 0 ? nothing : passOn(options, mayAllow)}
<div class="who">
<p>${text("consent.signedInAs", { name: account.name, email: account.email, strong, muted })}</p>
<button class="link" form="switch-account">${text("signIn.another")}</button>
</div>
${priorConsent(options, held)}
${judgement.everything ? nothing : html`<p class="sum"><strong>${summaryText(judgement)}</strong></p>`}
${
    rightsList({
      catalogue,
      judgement,
      offer,
      mark: (scope) => grants.length > 0 && held.length === 0 && !isHeld(scope) ? newBadge : nothing
    })
  }
${
    held.length === 0 ? nothing : html`<details class="held">
<summary>${text("consent.held", { count: held.length })}</summary>
${rightItems(catalogue, held, offer)}
</details>`
  }
${mayAllow ? endChoice(lifetimes, faulty?.end ?? "server") : nothing}
<div class="decide">
${danger === undefined ? nothing : html`<p class="danger risk-${danger.risk}">${dangerText(catalogue, danger)}</p>`}
<p class="muted">${destination(request.redirectUri)}</p>
${mayAllow ? nothing : html`<p>${onlyAdministrator(account)}</p>`}
${buttons(catalogue, { allowable, offered, isMore: held.length > 0, mayAllow })}
</div>
</form>
<form id="switch-account" method="post" action="${switchAccountPath}">
${csrfField(viewer)}
<input type="hidden" name="return_to" value="${path}">
</form>
${appLinks(client, path)}
</article>`
}

const faultText = ({ why }: FaultyChoice, account: Account): Html =>
  why === "nothing-chosen"
    ? text("consent.nothingChosen")
    : text("consent.withheld.refused", { named: isNamed(account), organization: organizationOf(account) })

const newBadge = html` <span class="badge">${text("consent.new")}</span>`

/**
 * What the page asks about. Where an app that proves who it is has some of it already, only the rest is asked, and
 * that stands folded. An app on a device may be another copy of it, so it is asked about all.
 */
const parts = ({ catalogue, client, question: { grants, request: { scopes } } }: ConsentPageOptions) => {
  const isHeld = (scope: ScopeName) => grants.some((grant) => catalogue.covers(grant.scopes, scope))
  if (scopes === null || client.kind === "public") return { asked: scopes, held: [] }
  const asked = scopes.filter((scope) => !isHeld(scope))
  return asked.length === 0 || asked.length === scopes.length
    ? { asked: scopes, held: [] }
    : { asked, held: scopes.filter(isHeld) }
}

/** Notice about what the user allowed the app before. */
const priorConsent = (
  { catalogue, client, question: { grants, request } }: ConsentPageOptions,
  held: ReadonlyArray<ScopeName>
): Html => {
  if (grants.length === 0) return nothing
  const note = (sentences: Html) => notice("note", html`<p>${sentences}</p>`)
  const isNew = (scope: ScopeName) => !grants.some((grant) => catalogue.covers(grant.scopes, scope))
  const asksMore = request.scopes === null
    ? grants.every(({ scopes }) => scopes !== null)
    : request.scopes.some(isNew)
  if (!asksMore) return note(text(client.kind === "public" ? "consent.againOnDevice" : "consent.again"))
  const app = html`<bdi>${client.name}</bdi>`
  return note(
    request.scopes === null || held.length > 0
      ? text("consent.asksMore", { app })
      : text("consent.asksMoreMarked", { app })
  )
}

/**
 * `form-action` sources that let a form on our page lead to the app's redirect URI. Chromium applies `form-action` to
 * every redirect that follows a form, and blocks silently. The app's callback may redirect in turn to any https page,
 * so `https:` is among them. CSP has no sources for IPv6 addresses, so the scheme stands for one.
 */
export const formTargets = (redirectUri: string): ReadonlyArray<string> => {
  const { hostname, origin, protocol } = new URL(redirectUri)
  if (protocol !== "https:" && protocol !== "http:") return [protocol]
  return [hostname.startsWith("[") ? protocol : origin, "https:"]
}
