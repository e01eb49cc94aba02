import type { DateTime } from "effect"
import type { Account } from "../../core/accounts/Account.ts"
import type { ManagedClient } from "../../core/clients/Client.ts"
import { isRejectionRecent } from "../../core/clients/Lifecycle.ts"
import type { ReviewCheck } from "../../core/clients/ReviewCheck.ts"
import type { ReviewedField } from "../../core/clients/ReviewedFields.ts"
import { isObjection, isTooEarly, lossesOf } from "../../core/clients/ScopeLosses.ts"
import type { MigrationState } from "../../core/legacy/migration/MigrationState.ts"
import { describe, grouped } from "../../domain/scopes/Description.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField, noticeOf } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { area } from "../../foundation/web/TextArea.ts"
import type { Visitor } from "../account/PageSession.ts"
import { logoImage } from "../consent/LogoView.ts"
import { fieldLabels } from "../portal/AppFormView.ts"
import { differenceTable } from "../portal/ChangeDiffView.ts"
import { migrationFindings, usageIn } from "../portal/MigrationFindingsView.ts"
import { reviewPath } from "../portal/Paths.ts"
import { statusOf } from "../portal/StatusView.ts"
import { actionLabels, auditTrail, type TrailEntry } from "./AuditTrailView.ts"
import { type FailedDecision, lateDecision } from "./LateDecisionView.ts"
import { checkList, twinsBox } from "./ReviewChecksView.ts"

export interface ReviewView {
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly owner: Account | undefined
  /** The progress of an app from before scopes; `null` for all others. */
  readonly migration: MigrationState | null
  readonly checks: ReadonlyArray<ReviewCheck>
  /** The names of the accounts that the page speaks of, by id. */
  readonly people: ReadonlyMap<string, string>
  readonly now: DateTime.Utc
  readonly trail: ReadonlyArray<TrailEntry>
  /** The app to look at after this one. */
  readonly next: ManagedClient | undefined
  readonly failed?: FailedDecision
}

export const reviewBody = (view: ReviewView): Html => {
  const { client, failed } = view
  return html`<div class="heading"><p><a href="/review">Review queue</a></p>${skip(view)}</div>
<div class="heading"><h1>${client.name}</h1><p>${statusOf(client)}</p></div>
${noticeOf(view.visitor.notice)}
${goOn(view)}
${alert(failed?.problem.message)}
${lateDecision(view)}
${change(view)}
${checkList(view)}
${migration(view)}
${facts(view)}
${decisions(view)}
${auditTrail(view.trail, view.visitor, actionLabels)}`
}

const skip = ({ next, visitor }: ReviewView): Html =>
  next === undefined || visitor.notice !== undefined
    ? nothing
    : html`<p><a href="${reviewPath(next.id)}" rel="next">Next: ${next.name}</a></p>`

/** The way on after a decision. */
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

/** The requests of a legacy app, and those that the scopes which wait would break. */
const migration = ({ client, migration: state, now, visitor: { account } }: ReviewView): Html => {
  if (state === null || state.audit === null) return nothing
  const { audit } = state
  const losses = savesScopes(client) ? lossesOf(usageIn(state, audit), client.change?.scopes ?? []) : []
  return html`<section aria-labelledby="migration">
<h2 id="migration">Its way to scopes</h2>
${
    losses.length === 0
      ? nothing
      : html`<div class="notice" role="note"><p><strong>The scopes that wait break what was seen:</strong></p><ul>${
        losses.map((loss) => html`<li>${loss}</li>`)
      }</ul></div>`
  }
${migrationFindings({ account, audit, now, state })}
</section>`
}

const savesScopes = ({ change, legacy }: ManagedClient): boolean =>
  legacy && change !== null && change.isWaiting && change.scopes.length > 0

/** The box without which an approval is refused that breaks something, or that nobody can judge yet. */
const confirmation = ({ client, failed, migration: state, now }: ReviewView): Html => {
  if (!savesScopes(client) || state === null || state.audit === null) return nothing
  const usage = usageIn(state, state.audit)
  const isDoubtful = isTooEarly(usage, now) || lossesOf(usage, client.change?.scopes ?? []).length > 0 ||
    (failed !== undefined && isObjection(failed.problem))
  return isDoubtful
    ? html`<label class="choice"><input type="checkbox" name="breakOldUrls" value="on"><span>Approve all the same: I know what may stop working.</span></label>
`
    : nothing
}

const facts = (view: ReviewView): Html =>
  html`<section aria-labelledby="facts">
<h2 id="facts">The app</h2>
<dl class="facts">
${Object.values(listedFacts(view)).map((fact) => html`${fact}\n`)}</dl>
<h3>Scopes</h3>
${view.client.scopes.length === 0 ? html`<p>None chosen yet: they are not validated.</p>` : nothing}
${
    grouped(view.client.scopes).map(({ reads, title, writes }) =>
      html`<h4>${title}</h4><ul>${
        [...reads, ...writes].map((scope) => html`<li>${describe(scope).title} <code>${scope}</code></li>`)
      }</ul>`
    )
  }
</section>`

/** Everything about the app in the order of the page; the name and the scopes have places of their own on it. */
const listedFacts = (view: ReviewView) => {
  const { client, owner } = view
  const fact = (label: string, value: Html | string) => html`<dt>${label}</dt><dd>${value}</dd>`
  return {
    owner: fact("Owner", owner === undefined ? client.ownerId : html`<bdi>${owner.name}</bdi> (${owner.email})`),
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

/** The decision that waits, or may still be taken back, and then the use of the app, whatever became of its change. */
const decisions = (view: ReviewView): Html =>
  html`${view.client.isWaiting ? decision(view) : isRejectionRecent(view.client) ? undoing(view) : nothing}
${suspendOrResume(view)}`

const decision = (view: ReviewView): Html => {
  const what = view.client.change === null ? "the app" : "the change"
  return html`<section aria-labelledby="decision">
<h2 id="decision">Your decision</h2>
${form(view, "approve", html`${confirmation(view)}${twinsBox(view, "Approve")}<button>Approve ${what}</button>`)}
${
    form(
      view,
      "reject",
      html`${reasonInput(view, "reject", "Reason for the rejection")}<button class="danger">Reject ${what}</button>`
    )
  }
</section>`
}

const suspendOrResume = (view: ReviewView): Html => {
  const { status } = view.client
  if (status === "approved") {
    return html`<section aria-labelledby="use"><h2 id="use">Suspend</h2>${suspension(view)}</section>`
  }
  return status === "suspended"
    ? html`<section aria-labelledby="use"><h2 id="use">Resume</h2>${
      form(view, "resume", html`${twinsBox(view, "Resume")}<button>Let the app work again</button>`)
    }</section>`
    : nothing
}

const undoing = (view: ReviewView): Html =>
  html`<section aria-labelledby="decision">
<h2 id="decision">Take the rejection back</h2>
<p>${
    view.client.status === "rejected" ? "The app" : "The change"
  } waits for review again, at its old place in the queue.</p>
${
    form(
      view,
      "undo-rejection",
      html`${
        reasonInput(view, "undo-rejection", "Reason for taking it back")
      }<button>Put it back into the queue</button>`
    )
  }
</section>`

const suspension = (view: ReviewView): Html =>
  html`<details${view.failed?.action === "suspend" ? html` open` : nothing}>
<summary>Stop the app at once</summary>
<p>Nobody can authorize it, and its tokens stop working, until it is resumed.</p>
${
    form(
      view,
      "suspend",
      html`${reasonInput(view, "suspend", "Reason for the suspension")}<button class="danger">Suspend the app</button>`
    )
  }
</details>`

const reasonInput = ({ failed }: ReviewView, action: string, label: string): Html => {
  const { problem, reason = "" } = failed?.action === action ? failed : {}
  return area(
    { id: `${action}-reason`, name: "reason", label, value: reason, rows: 3, hint: "The owner reads it." },
    problem?.details ?? []
  )
}

const form = ({ client, visitor }: ReviewView, action: string, fields: Html): Html =>
  html`<form method="post" action="${reviewPath(client.id)}/${action}" novalidate>
${csrfField(visitor.viewer)}
<input type="hidden" name="version" value="${client.version}">
${fields}
</form>`
