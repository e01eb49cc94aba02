import { Option } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import type { Client } from "../../core/clients/records/Client.ts"
import { contactHref } from "../../core/clients/records/Contact.ts"
import { documentHostOf } from "../../core/clients/records/DocumentHost.ts"
import * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import type { Question } from "../../core/consent/Consent.ts"
import type { Usage } from "../../core/grants/Usage.ts"
import type { Judgement } from "../../domain/catalogue/Judgement.ts"
import { brandName } from "../../foundation/web/BrandText.ts"
import { shortDateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { strong, text } from "../../foundation/web/Message.ts"
import { appHead } from "../parts/AppHead.ts"
import { reachText } from "../parts/RiskText.ts"
import type { Visitor } from "../session/PageSession.ts"

// Part of the consent page about the app: who made it, what is known of it, and what to beware of.

interface Asking {
  readonly client: Client
  readonly owner: Option.Option<Account>
  readonly users: Usage
  readonly question: Question
  readonly visitor: Visitor
}

/** The app with what it wants, who made it, what it is for, and since when it is reviewed. */
export const appFacts = ({ client, owner, question: { resource }, users, visitor }: Asking, wants: Html): Html =>
  html`${appHead(client, html`<h1>${wants}</h1>${atResource(resource)}${developer(owner)}`)}
${client.tagline === null ? nothing : html`<p class="tagline"><bdi>${client.tagline}</bdi></p>`}
<p class="muted standing">${
    [...reviewed(client, visitor), usedBy(users)].flatMap((fact, at) => at === 0 ? [fact] : [" · ", fact])
  }</p>`

/** What the user has to know before all else: how far it reaches, and that the next page is not the app's website. */
export const warnings = ({ client, question }: Asking, { danger, everything, reach }: Judgement): Html =>
  html`${
    everything
      ? box("red", text("consent.legacy", { strong }))
      : danger?.risk === 3 && reach?.everyone === true
      ? box("red", text("consent.reaches", { strong, reach: reachText(reach) }))
      : nothing
  }${
    client.origin === "dynamic"
      ? byItself(question.request.redirectUri)
      : elsewhere(client, question.request.redirectUri)
  }${anybodys(client)}`

/** Form in which a user tells reviewers of an app. */
export const reportPath = "/auth/oauth2/report"

/** Links to what the app says of itself, and to the reviewers. */
export const appLinks = ({ contact, id, privacyUrl, termsUrl }: Client, path: string): Html => {
  const links = [
    ...(privacyUrl === null ? [] : [outside(privacyUrl, text("consent.privacy"))]),
    ...(termsUrl === null ? [] : [outside(termsUrl, text("consent.terms"))]),
    ...(contact === null ? [] : [outside(contactHref(contact), text("consent.contact"))])
  ]
  const report = new URLSearchParams({ client_id: id, return_to: path })
  return html`<p class="muted app-links">${
    links.map((link) => html`${link} `)
  }<a href="${reportPath}?${report.toString()}">${text("consent.report")}</a></p>`
}

/** Where the app may do what it asks for, if that is not the API. */
export const atResource = (resource: Question["resource"]): Html =>
  resource === null ? nothing : html`<div class="at-resource">${
    text("consent.at", {
      name: html`<strong><bdi>${resource.name}</bdi></strong>`,
      host: html`<span class="muted">${new URL(resource.identifier).host}</span>`
    })
  }</div>`

/** Developer behind the app. */
export const developer = (owner: Option.Option<Account>): Html => {
  const name = developerName(owner)
  return name === undefined
    ? nothing
    : html`<div class="muted">${text("consent.developer", { name: html`<strong><bdi>${name}</bdi></strong>` })}</div>`
}

/**
 * Name of the developer behind the app. The identity source of a platform may fill a missing name with an id or an
 * e-mail address, which users of the app must not see.
 */
export const developerName = (owner: Option.Option<Account>): string | undefined => {
  const { id, name } = Option.getOrElse(owner, () => ({ id: "", name: "" }))
  return name.trim() === "" || name === id || name.includes("@") ? undefined : name
}

const reviewed = ({ isTestApp, reviewedAt }: Client, { account }: Visitor): ReadonlyArray<Html> =>
  isTestApp
    ? [text("testApp.consent")]
    : reviewedAt === null
    ? []
    : [text("consent.reviewed", { brand: html`<bdi>${brandName}</bdi>`, day: shortDateText(reviewedAt, account) })]

const usedBy = ({ isComplete, users }: Usage): Html =>
  text(isComplete ? "consent.users" : "consent.usersMore", { users })

const elsewhere = (client: Client, redirectUri: string): Html => {
  const home = documentHostOf(client) ?? client.website
  const website = home === client.website ? home : `https://${home}/`
  return leadsElsewhere(website, redirectUri)
    ? box(
      "amber",
      text("consent.elsewhere", { host: new URL(redirectUri).host, strong, website: new URL(website).host })
    )
    : nothing
}

/** Of an app that describes itself and answers on loopback alone, any program of the device may take the name. */
const anybodys = (client: Client): Html => {
  const host = documentHostOf(client)
  return host !== undefined && client.redirectUris.every(RedirectUri.isLoopback)
    ? box("amber", text("consent.loopback", { host: html`<bdi>${host}</bdi>`, strong }))
    : nothing
}

/** What is known of an app that registered by itself: where its user goes on to, and no more. */
const byItself = (redirectUri: string): Html =>
  box(
    "amber",
    /^https?:/i.test(redirectUri) && !RedirectUri.isLoopback(redirectUri)
      ? text("consent.byItself", { host: html`<bdi>${new URL(redirectUri).host}</bdi>`, strong })
      : text("consent.byItselfHere", { strong })
  )

/**
 * Tells if the user goes on to a host that is not the website's, nor above or beneath it. The list of public suffixes
 * is not asked (docs/decisions/pages.md).
 */
export const leadsElsewhere = (website: string, redirectUri: string): boolean => {
  const { host, protocol } = new URL(redirectUri)
  if (!protocol.startsWith("http") || RedirectUri.isLoopback(redirectUri) || !URL.canParse(website)) return false
  const site = new URL(website).host.replace(/^www\./, "")
  return host !== site && !host.endsWith(`.${site}`) && !site.endsWith(`.${host}`)
}

const box = (kind: "red" | "amber", words: Html): Html => html`<p class="warning ${kind}">${words}</p>`

const outside = (href: string, label: Html): Html =>
  html`<a href="${href}" target="_blank" rel="noopener noreferrer nofollow">${label}</a>`
