import type { Account } from "../../core/accounts/people/Account.ts"
import { isWithoutOwner, type ManagedClient } from "../../core/clients/records/Client.ts"
import { contactHref } from "../../core/clients/records/Contact.ts"
import type { nothingSaid, ReviewedField } from "../../core/clients/records/ReviewedFields.ts"
import type { OwnerRecord } from "../../core/clients/review/OwnerRecord.ts"
import type { AppUse } from "../../core/grants/AppUse.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { forReader, type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { fieldLabels } from "../parts/FieldLabels.ts"
import { logoImage } from "../parts/LogoView.ts"
import { retirementText } from "../parts/RetirementView.ts"
import type { Visitor } from "../session/PageSession.ts"
import { redirectHosts } from "./RedirectHostsView.ts"

interface FactsView {
  readonly catalogue: Catalogue
  readonly client: ManagedClient
  readonly owner: Account | undefined
  readonly record: OwnerRecord
  readonly usage: AppUse
  readonly visitor: Visitor
}

/** All that is known of an app, as it serves or waits for its first approval. */
export const facts = (view: FactsView): Html =>
  html`<section aria-labelledby="facts">
<h2 id="facts">${text("review.facts")}</h2>
<dl class="facts">
${Object.values(listedFacts(view)).map((fact) => html`${fact}\n`)}</dl>
<h3>${fieldLabels.scopes}</h3>
${view.client.scopes.length === 0 ? html`<p>${text("review.noScopes")}</p>` : scopes(view)}
</section>`

const scopes = ({ catalogue, client }: FactsView): Html =>
  forReader(({ language: { tag } }) =>
    catalogue.grouped(client.scopes, tag).map(({ level, reads, title, writes }) =>
      html`<h4>${level === "unknown" ? text("scopes.unknownLevel") : title}</h4><ul>${
        [...reads, ...writes].map((scope) => {
          const { title } = catalogue.describe(scope, tag)
          const note = retirementText(catalogue, scope)
          return html`<li>${title === scope ? "" : `${title} `}<code>${scope}</code>${
            note === undefined ? nothing : html` <small class="muted">${note}</small>`
          }${
            client.optionalScopes.includes(scope)
              ? html` <small class="muted">${text("review.optional")}</small>`
              : nothing
          }</li>`
        })
      }</ul>`
    )
  )

const ownerText = ({ email, name }: Pick<Account, "email" | "name">): Html =>
  email === "" ? html`<bdi>${name}</bdi>` : text("review.ownerWithAddress", { name: html`<bdi>${name}</bdi>`, email })

const foreignLink = (href: string, shown = href): Html =>
  html`<a href="${href}" rel="noopener noreferrer nofollow">${shown}</a>`

/** What became of the owner's other apps, with the way to them. */
const recordText = ({ client: { ownerId }, record }: FactsView): Html => {
  const { approved = 0, pending = 0, rejected = 0, suspended = 0 } = record
  return approved + pending + rejected + suspended === 0
    ? text("ownerRecord.none")
    : html`<a href="/review?${new URLSearchParams({ state: "all", search: ownerId }).toString()}">${
      text("ownerRecord", { approved, pending, rejected, suspended })
    }</a>`
}

const useText = ({ client, usage, visitor: { account } }: FactsView): Html => {
  const { grants, isComplete, lastTokensAt, users } = usage
  if (users === 0) return text(client.status === "approved" ? "appUse.none" : "appUse.noneYet")
  return html`${isComplete ? text("appUse", { users, grants }) : text("appUse.atLeast", { users })}${
    lastTokensAt === null ? nothing : html`<br>${text("appUse.last", { at: dateText(lastTokensAt, account) })}`
  }`
}

/** Everything about the app in the order of the page; the name and the scopes have places of their own on it. */
const listedFacts = (view: FactsView) => {
  const { client, owner, visitor: { account } } = view
  const fact = (label: Phrase, value: Phrase) => html`<dt>${label}</dt><dd>${value}</dd>`
  const said = (field: keyof typeof nothingSaid, shown = (value: string): Html => html`<bdi>${value}</bdi>`) =>
    client[field] === null ? nothing : fact(fieldLabels[field], shown(client[field]))
  return {
    purpose: isWithoutOwner(client)
      ? nothing
      : html`<dt>${text("review.purpose")}</dt><dd class="lines">${client.purpose}</dd>`,
    owner: fact(
      text("review.owner"),
      isWithoutOwner(client) ? text("people.nobody") : owner === undefined ? client.ownerId : ownerText(owner)
    ),
    record: isWithoutOwner(client) ? nothing : fact(text("ownerRecord.label"), recordText(view)),
    use: fact(text("appUse.label"), useText(view)),
    tagline: said("tagline"),
    website: client.website === "" ? nothing : fact(fieldLabels.website, foreignLink(client.website)),
    privacyUrl: said("privacyUrl", foreignLink),
    termsUrl: said("termsUrl", foreignLink),
    contact: said("contact", (contact) => foreignLink(contactHref(contact), contact)),
    redirectUris: fact(fieldLabels.redirectUris, redirectHosts(client.id, client.redirectUris)),
    logoUrl: fact(
      fieldLabels.logoUrl,
      client.logoUrl === null ? text("review.noLogo") : html`<code>${client.logoUrl}</code>`
    ),
    logoDigest: client.logoUrl === null
      ? nothing
      : fact(
        fieldLabels.logoDigest,
        client.logoDigest === null
          ? text("review.logoNotFetched")
          : logoImage(client.logoDigest, text("review.logo"))
      ),
    kind: fact(
      text("review.kind"),
      client.legacy ? text(`review.kindOfLegacy.${client.kind}`) : text(`review.kind.${client.kind}`)
    ),
    id: fact(text("review.clientId"), html`<code>${client.id}</code>`),
    submittedAt: fact(text("review.submittedAt"), dateText(client.submittedAt, account)),
    reviewedAt: client.reviewedAt === null
      ? nothing
      : fact(text("review.reviewedAt"), dateText(client.reviewedAt, account)),
    rejectionReason: client.rejectionReason === null
      ? nothing
      : html`<dt>${text("review.reason")}</dt><dd class="lines">${client.rejectionReason}</dd>`
  } satisfies Readonly<
    Record<Exclude<ReviewedField, "name" | "scopes" | "optionalScopes">, Html> & Record<string, Html>
  >
}
