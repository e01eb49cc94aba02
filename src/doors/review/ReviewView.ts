import type { DateTime } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import { isObjection, lossesOf } from "../../core/clients/life/ScopeLosses.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { contactHref } from "../../core/clients/records/Contact.ts"
import type { nothingSaid, ReviewedField } from "../../core/clients/records/ReviewedFields.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { forReader, type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { notice, noticeOf } from "../../foundation/web/Notice.ts"
import { actionLabels, auditTrail, type TrailEntry } from "../parts/AuditTrailView.ts"
import { differenceTable } from "../parts/ChangeDiffView.ts"
import { fieldLabels } from "../parts/FieldLabels.ts"
import { logoImage } from "../parts/LogoView.ts"
import { lossText } from "../parts/LossesView.ts"
import { migrationFindings, usageIn } from "../parts/MigrationFindingsView.ts"
import { reviewPath } from "../parts/Paths.ts"
import { retirementText } from "../parts/RetirementView.ts"
import { statusView } from "../parts/StatusView.ts"
import { lateDecision } from "./LateDecisionView.ts"
import { checkList } from "./ReviewChecksView.ts"
import { decisions, type DecisionsView, savesScopes } from "./ReviewDecisionsView.ts"
import { claimLine, threadSection, type ThreadView } from "./ThreadView.ts"
import { undoNotice } from "./UndoView.ts"
import { inWords } from "./WideningInWords.ts"

export interface ReviewView extends DecisionsView, ThreadView {
  readonly owner: Account | undefined
  /** What users have told of the app, the latest first. */
  readonly reports: ReadonlyArray<TrailEntry>
  /** Number of those that no reviewer has dealt with. */
  readonly openReports: number
  /** App to look at after this one. */
  readonly next: ManagedClient | undefined
}

export const reviewBody = (view: ReviewView): Html => {
  const { client, failed } = view
  return html`<div class="heading"><p><a href="/review">${text("review.queue")}</a></p>${skip(view)}</div>
<div class="heading"><h1>${client.name}</h1><p>${statusView(client)}</p></div>
${noticeOf(view.visitor.notice)}
${undoNotice(view)}
${goOn(view)}
${alert(failed !== undefined && isObjection(failed.problem) ? text("review.objection") : failed?.problem)}
${lateDecision(view)}
${claimLine(view)}
${change(view)}
${reported(view)}
${checkList(view)}
${migration(view)}
${facts(view)}
${decisions(view)}
${threadSection(view)}
${auditTrail(view.trail.map(inWords(view.catalogue)), view.visitor, actionLabels)}`
}

const skip = ({ next, visitor }: ReviewView): Html =>
  next === undefined || visitor.notice !== undefined
    ? nothing
    : html`<p><a href="${reviewPath(next.id)}" rel="next">${nextApp(next)}</a></p>`

const nextApp = ({ name }: ManagedClient): Html => text("review.next", { app: html`<bdi>${name}</bdi>` })

/** Way on after a decision. */
const goOn = ({ next, visitor }: ReviewView): Html =>
  visitor.notice === undefined
    ? nothing
    : next === undefined
    ? html`<p>${text("review.nothingElse")}</p>`
    : html`<p><a href="${reviewPath(next.id)}" rel="next" class="button">${nextApp(next)}</a></p>`

const at = ({ visitor }: ReviewView, instant: DateTime.Utc): Html => dateText(instant, visitor.account)

const change = (view: ReviewView): Html => {
  const { client } = view
  if (client.change === null) return nothing
  const { rejectionReason, submittedAt } = client.change
  return html`<section aria-labelledby="change">
<h2 id="change">${text(rejectionReason === null ? "review.change.waiting" : "review.change.rejected")}</h2>
<p>${
    text(client.status === "suspended" ? "review.change.ofSuspended" : "review.change.submitted", {
      at: at(view, submittedAt)
    })
  }</p>
${rejectionReason === null ? nothing : html`<blockquote>${rejectionReason}</blockquote>`}
${differenceTable(client, client.change)}
</section>`
}

const reported = (view: ReviewView): Html =>
  view.reports.length === 0 ? nothing : html`<section aria-labelledby="reports">
<h2 id="reports">${text("review.reports")}</h2>
<p class="notice">${text("review.reports.count", { count: view.reports.length })}</p>
<ul>${
    view.reports.map((entry) =>
      html`<li class="lines">${String(entry.details["reason"])} <span class="muted">${entry.by}, ${
        at(view, entry.at)
      }</span></li>`
    )
  }</ul>
${
    view.openReports === 0 ? nothing : html`<form method="post" action="${reviewPath(view.client.id)}/settle-reports">
${csrfField(view.visitor.viewer)}
<p>${text("review.reports.settle.what")}</p>
<button class="secondary">${text("review.reports.settle", { count: view.openReports })}</button>
</form>`
  }
</section>`

/** Requests of a legacy app, and those that the scopes which wait would break. */
const migration = ({ catalogue, client, migration: state, now, visitor: { account } }: ReviewView): Html => {
  if (state === null || state.audit === null) return nothing
  const { audit } = state
  const losses = savesScopes(client) ? lossesOf(catalogue, usageIn(state, audit), client.change?.scopes ?? []) : []
  return html`<section aria-labelledby="migration">
<h2 id="migration">${text("review.migration")}</h2>
${
    losses.length === 0
      ? nothing
      : notice(
        "warning",
        html`<p><strong>${text("review.losses")}</strong></p><ul>${
          losses.map((loss) => html`<li>${lossText(catalogue, loss)}</li>`)
        }</ul>`
      )
  }
${migrationFindings({ account, audit, now, state })}
</section>`
}

const facts = (view: ReviewView): Html =>
  html`<section aria-labelledby="facts">
<h2 id="facts">${text("review.facts")}</h2>
<dl class="facts">
${Object.values(listedFacts(view)).map((fact) => html`${fact}\n`)}</dl>
<h3>${fieldLabels.scopes}</h3>
${view.client.scopes.length === 0 ? html`<p>${text("review.noScopes")}</p>` : scopes(view)}
</section>`

const scopes = ({ catalogue, client }: ReviewView): Html =>
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

/** Everything about the app in the order of the page; the name and the scopes have places of their own on it. */
const listedFacts = (view: ReviewView) => {
  const { client, owner } = view
  const fact = (label: Phrase, value: Phrase) => html`<dt>${label}</dt><dd>${value}</dd>`
  const said = (field: keyof typeof nothingSaid, shown = (value: string): Html => html`<bdi>${value}</bdi>`) =>
    client[field] === null ? nothing : fact(fieldLabels[field], shown(client[field]))
  return {
    owner: fact(text("review.owner"), owner === undefined ? client.ownerId : ownerText(owner)),
    purpose: html`<dt>${text("review.purpose")}</dt><dd class="lines">${client.purpose}</dd>`,
    tagline: said("tagline"),
    website: fact(fieldLabels.website, foreignLink(client.website)),
    privacyUrl: said("privacyUrl", foreignLink),
    termsUrl: said("termsUrl", foreignLink),
    contact: said("contact", (contact) => foreignLink(contactHref(contact), contact)),
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
    redirectUris: fact(
      fieldLabels.redirectUris,
      html`<ul>${client.redirectUris.map((uri) => html`<li><code>${uri}</code></li>`)}</ul>`
    ),
    submittedAt: fact(text("review.submittedAt"), at(view, client.submittedAt)),
    reviewedAt: client.reviewedAt === null ? nothing : fact(text("review.reviewedAt"), at(view, client.reviewedAt)),
    rejectionReason: client.rejectionReason === null
      ? nothing
      : html`<dt>${text("review.reason")}</dt><dd class="lines">${client.rejectionReason}</dd>`
  } satisfies Readonly<
    Record<Exclude<ReviewedField, "name" | "scopes" | "optionalScopes">, Html> & Record<string, Html>
  >
}
