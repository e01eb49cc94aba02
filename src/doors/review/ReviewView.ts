import type { DateTime } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import { lossesOf } from "../../core/clients/life/ScopeLosses.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { ReviewedField } from "../../core/clients/records/ReviewedFields.ts"
import { noteOf } from "../../domain/catalogue/Retirement.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, noticeOf } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { actionLabels, auditTrail } from "../parts/AuditTrailView.ts"
import { differenceTable } from "../parts/ChangeDiffView.ts"
import { fieldLabels } from "../parts/FieldLabels.ts"
import { logoImage } from "../parts/LogoView.ts"
import { lossText } from "../parts/LossesView.ts"
import { migrationFindings, usageIn } from "../parts/MigrationFindingsView.ts"
import { reviewPath } from "../parts/Paths.ts"
import { statusView } from "../parts/StatusView.ts"
import { lateDecision } from "./LateDecisionView.ts"
import { checkList } from "./ReviewChecksView.ts"
import { decisions, type DecisionsView, savesScopes } from "./ReviewDecisionsView.ts"
import { inWords } from "./WideningInWords.ts"

export interface ReviewView extends DecisionsView {
  readonly owner: Account | undefined
  /** App to look at after this one. */
  readonly next: ManagedClient | undefined
}

export const reviewBody = (view: ReviewView): Html => {
  const { client, failed } = view
  return html`<div class="heading"><p><a href="/review">Review queue</a></p>${skip(view)}</div>
<div class="heading"><h1>${client.name}</h1><p>${statusView(client)}</p></div>
${noticeOf(view.visitor.notice)}
${goOn(view)}
${alert(failed?.problem)}
${lateDecision(view)}
${change(view)}
${checkList(view)}
${migration(view)}
${facts(view)}
${decisions(view)}
${auditTrail(view.trail.map(inWords(view.catalogue)), view.visitor, actionLabels)}`
}

const skip = ({ next, visitor }: ReviewView): Html =>
  next === undefined || visitor.notice !== undefined
    ? nothing
    : html`<p><a href="${reviewPath(next.id)}" rel="next">Next: ${next.name}</a></p>`

/** Way on after a decision. */
const goOn = ({ next, visitor }: ReviewView): Html =>
  visitor.notice === undefined
    ? nothing
    : next === undefined
    ? html`<p>Nothing else waits for a decision.</p>`
    : html`<p><a href="${reviewPath(next.id)}" rel="next" class="button">Next: ${next.name}</a></p>`

const at = ({ visitor }: ReviewView, instant: DateTime.Utc): Html => dateText(instant, visitor.account)

const change = (view: ReviewView): Html => {
  const { client } = view
  if (client.change === null) return nothing
  const { rejectionReason, submittedAt } = client.change
  return html`<section aria-labelledby="change">
<h2 id="change">${rejectionReason === null ? "The change that waits" : "The change that was refused"}</h2>
<p>Asked for on ${at(view, submittedAt)}. The approved version ${
    client.status === "suspended" ? "is below." : "below keeps working meanwhile."
  }</p>
${rejectionReason === null ? nothing : html`<blockquote>${rejectionReason}</blockquote>`}
${differenceTable(client, client.change)}
</section>`
}

/** Requests of a legacy app, and those that the scopes which wait would break. */
const migration = ({ catalogue, client, migration: state, now, visitor: { account } }: ReviewView): Html => {
  if (state === null || state.audit === null) return nothing
  const { audit } = state
  const losses = savesScopes(client) ? lossesOf(catalogue, usageIn(state, audit), client.change?.scopes ?? []) : []
  return html`<section aria-labelledby="migration">
<h2 id="migration">Its way to scopes</h2>
${
    losses.length === 0
      ? nothing
      : html`<div class="notice" role="note"><p><strong>The scopes that wait break what was seen:</strong></p><ul>${
        losses.map((loss) => html`<li>${lossText(catalogue, loss)}</li>`)
      }</ul></div>`
  }
${migrationFindings({ account, audit, now, state })}
</section>`
}

const facts = (view: ReviewView): Html =>
  html`<section aria-labelledby="facts">
<h2 id="facts">The app</h2>
<dl class="facts">
${Object.values(listedFacts(view)).map((fact) => html`${fact}\n`)}</dl>
<h3>Scopes</h3>
${view.client.scopes.length === 0 ? html`<p>None chosen yet: they are not validated.</p>` : nothing}
${
    view.catalogue.grouped(view.client.scopes).map(({ reads, title, writes }) =>
      html`<h4>${title}</h4><ul>${
        [...reads, ...writes].map((scope) => {
          const name = html`<code>${scope}</code>`
          const { title } = view.catalogue.describe(scope)
          return title === scope
            ? html`<li>${name}${retirement(view, scope)}</li>`
            : html`<li>${title} ${name}${retirement(view, scope)}</li>`
        })
      }</ul>`
    )
  }
</section>`

const retirement = ({ catalogue }: ReviewView, scope: ScopeName): Html => {
  const note = noteOf(catalogue, scope)
  return note === undefined ? nothing : html` <small class="muted">${note}</small>`
}

const ownerText = ({ email, name }: Pick<Account, "email" | "name">): Html =>
  html`<bdi>${name}</bdi>${email === "" ? nothing : ` (${email})`}`

/** Everything about the app in the order of the page; the name and the scopes have places of their own on it. */
const listedFacts = (view: ReviewView) => {
  const { client, owner } = view
  const fact = (label: Phrase, value: Phrase) => html`<dt>${label}</dt><dd>${value}</dd>`
  return {
    owner: fact("Owner", owner === undefined ? client.ownerId : ownerText(owner)),
    purpose: html`<dt>Purpose</dt><dd class="lines">${client.purpose}</dd>`,
    website: fact(
      fieldLabels.website,
      html`<a href="${client.website}" rel="noopener noreferrer nofollow">${client.website}</a>`
    ),
    logoUrl: fact(
      fieldLabels.logoUrl,
      client.logoUrl === null ? "none" : html`<code>${client.logoUrl}</code>`
    ),
    logoDigest: client.logoUrl === null
      ? nothing
      : fact(
        fieldLabels.logoDigest,
        client.logoDigest === null
          ? "not fetched: users see the first letter of the name"
          : logoImage(client.logoDigest, "The picture that users see")
      ),
    kind: fact("Kind", `${client.kind}${client.legacy ? ", from before scopes" : ""}`),
    id: fact("Client id", html`<code>${client.id}</code>`),
    redirectUris: fact(
      fieldLabels.redirectUris,
      html`<ul>${client.redirectUris.map((uri) => html`<li><code>${uri}</code></li>`)}</ul>`
    ),
    submittedAt: fact("Submitted", at(view, client.submittedAt)),
    reviewedAt: client.reviewedAt === null ? nothing : fact("Reviewed", at(view, client.reviewedAt)),
    rejectionReason: client.rejectionReason === null
      ? nothing
      : html`<dt>Reason</dt><dd class="lines">${client.rejectionReason}</dd>`
  } satisfies Readonly<Record<Exclude<ReviewedField, "name" | "scopes">, Html> & Record<string, Html>>
}
