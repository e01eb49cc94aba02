import type { DateTime } from "effect"
import type { Account } from "../../core/accounts/Account.ts"
import type { Entry } from "../../core/audit/AuditLog.ts"
import type { ManagedClient } from "../../core/clients/Client.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import { describe, grouped } from "../../domain/scopes/Description.ts"
import { moment } from "../../foundation/web/DateText.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Visitor } from "../account/PageSession.ts"
import { area } from "../portal/AppForm.ts"
import { noticeOf, statusOf } from "../portal/AppListView.ts"
import { differenceTable } from "../portal/ChangeDiffView.ts"
import { reviewPath } from "../portal/Paths.ts"

export interface ReviewView {
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly owner: Account | undefined
  /** Who did what to the app, the newest first, with the names of the actors. */
  readonly trail: ReadonlyArray<Entry & { readonly by: string }>
  readonly notice?: string | undefined
  /** A decision that was refused, with the words that were entered with it. */
  readonly refused?: {
    readonly action: string
    readonly problem: BadRequest | Conflict
    readonly reason: string
  }
}

export const notices: ReadonlyMap<string, string> = new Map([
  ["approve", "Approved. The owner gets a mail."],
  ["reject", "Rejected. The owner gets a mail with your reason."],
  ["suspend", "Suspended. The app and its tokens stopped working at once, and the owner gets a mail."],
  ["resume", "Resumed. The app works again, and the owner gets a mail."]
])

export const reviewBody = (view: ReviewView): Html => {
  const { client, refused } = view
  return html`<p><a href="/review">Review queue</a></p>
<div class="heading"><h1>${client.name}</h1><p>${statusOf(client)}</p></div>
${noticeOf(view.notice)}
${alert(refused?.problem.message)}
${change(view)}
${facts(view)}
${decision(view)}
${trail(view)}`
}

const at = ({ visitor }: ReviewView, instant: DateTime.Utc): Html => moment(instant, visitor.account)

const change = (view: ReviewView): Html => {
  const { client } = view
  if (client.change === null) return nothing
  const { rejectionReason, submittedAt } = client.change
  return html`<section aria-labelledby="change">
<h2 id="change">${rejectionReason === null ? "The change that waits" : "The change that was refused"}</h2>
<p>Asked for on ${at(view, submittedAt)}. The approved version, below, keeps working meanwhile.</p>
${rejectionReason === null ? nothing : html`<blockquote>${rejectionReason}</blockquote>`}
${differenceTable(client, client.change)}
</section>`
}

const facts = (view: ReviewView): Html => {
  const { client, owner } = view
  return html`<section aria-labelledby="facts">
<h2 id="facts">The app</h2>
<dl class="facts">
<dt>Owner</dt><dd>${owner === undefined ? client.ownerId : html`${owner.name} (${owner.email})`}</dd>
<dt>Purpose</dt><dd class="lines">${client.purpose}</dd>
<dt>Website</dt><dd><a href="${client.website}" rel="noopener noreferrer nofollow">${client.website}</a></dd>
<dt>Logo</dt><dd>${
    client.logoUrl === null
      ? "none"
      : html`<img class="logo" src="${client.logoUrl}" alt="" width="48" height="48"> <code>${client.logoUrl}</code>`
  }</dd>
<dt>Kind</dt><dd>${client.kind}${client.legacy ? ", from before scopes" : ""}</dd>
<dt>Client id</dt><dd><code>${client.id}</code></dd>
<dt>Redirect URIs</dt><dd><ul>${client.redirectUris.map((uri) => html`<li><code>${uri}</code></li>`)}</ul></dd>
<dt>Submitted</dt><dd>${at(view, client.submittedAt)}</dd>
${client.reviewedAt === null ? nothing : html`<dt>Reviewed</dt><dd>${at(view, client.reviewedAt)}</dd>`}
${client.rejectionReason === null ? nothing : html`<dt>Reason</dt><dd class="lines">${client.rejectionReason}</dd>`}
</dl>
<h3>Scopes</h3>
${client.scopes.length === 0 ? html`<p>None chosen yet: they are not validated.</p>` : nothing}
${
    grouped(client.scopes).map(({ reads, title, writes }) =>
      html`<h4>${title}</h4><ul>${
        [...reads, ...writes].map((scope) => html`<li>${describe(scope).title} <code>${scope}</code></li>`)
      }</ul>`
    )
  }
</section>`
}

const decision = (view: ReviewView): Html => {
  const { client } = view
  const { change, status } = client
  if (client.isWaiting) {
    const what = change === null ? "the app" : "the change"
    return html`<section aria-labelledby="decision">
<h2 id="decision">Your decision</h2>
${form(view, "approve", html`<button>Approve ${what}</button>`)}
${
      form(
        view,
        "reject",
        html`${words(view, "reject", "Reason for the rejection")}<button class="danger">Reject ${what}</button>`
      )
    }
${change !== null && status === "approved" ? suspension(view) : nothing}
</section>`
  }
  if (status === "approved") {
    return html`<section aria-labelledby="decision"><h2 id="decision">Suspend</h2>${suspension(view)}</section>`
  }
  return status === "suspended"
    ? html`<section aria-labelledby="decision"><h2 id="decision">Resume</h2>${
      form(view, "resume", html`<button>Let the app work again</button>`)
    }</section>`
    : nothing
}

const suspension = (view: ReviewView): Html =>
  html`<details${view.refused?.action === "suspend" ? html` open` : nothing}>
<summary>Stop the app at once</summary>
<p>Nobody can authorize it, and its tokens stop working, until it is resumed.</p>
${
    form(
      view,
      "suspend",
      html`${words(view, "suspend", "Reason for the suspension")}<button class="danger">Suspend the app</button>`
    )
  }
</details>`

const words = ({ refused }: ReviewView, action: string, label: string): Html => {
  const { problem, reason = "" } = refused?.action === action ? refused : {}
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

const trail = (view: ReviewView): Html =>
  html`<section aria-labelledby="trail">
<h2 id="trail">What happened</h2>
<div class="overflow-auto"><table>
<thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Details</th></tr></thead>
<tbody>
${
    view.trail.map((entry) =>
      html`<tr><td>${at(view, entry.at)}</td><td>${entry.by}</td><td>${
        actionLabels.get(entry.action) ?? entry.action
      }</td><td class="lines">${
        Object.entries(entry.details)
          .filter(([name]) => !hiddenDetails.has(name))
          .map(([name, value]) => html`${detailLabels.get(name) ?? name}: ${value}<br>`)
      }</td></tr>`
    )
  }
</tbody></table></div>
</section>`

/** What the trail of an app tells; what its users do with it is none of the reviewer's business. */
export const actionLabels: ReadonlyMap<string, string> = new Map([
  ["client.registered", "registered the app"],
  ["client.edited", "changed the app"],
  ["client.resubmitted", "submitted it again"],
  ["client.change_withdrawn", "took the change back"],
  ["client.approved", "approved the app"],
  ["client.rejected", "rejected the app"],
  ["client.change_approved", "approved the change"],
  ["client.change_rejected", "rejected the change"],
  ["client.suspended", "suspended the app"],
  ["client.resumed", "resumed the app"],
  ["client.imported", "imported the app"],
  ["client.migration_undone", "took the scopes back"],
  ["secret.generated", "generated a secret"],
  ["secret.revoked", "revoked a secret"]
])

const detailLabels: ReadonlyMap<string, string> = new Map([
  ["lastFour", "ends in"],
  ["redirectUris", "redirect URIs"],
  ["logoUrl", "logo"]
])

const hiddenDetails: ReadonlySet<string> = new Set(["version", "secretId"])
