import type { MailPreview } from "../../core/legacy/migration/MigrationMails.ts"
import { counted } from "../../domain/Counted.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
import { type BoardAddress, boardPath, stateLabels } from "./MigrationBoardView.ts"

interface MailsView extends MailPreview, BoardAddress {
  readonly viewer: Viewer
}

/** Page that shows what will be sent to how many, before it is sent. */
export const mailsBody = (view: MailsView): Html =>
  html`<p><a href="${boardPath(view)}">Migration to scopes</a></p>
<h1>Write to the owners</h1>
<p>Owners of: <strong>${stateLabels[view.state]}</strong>${
    view.search === "" ? "" : html`, found by <strong>${view.search}</strong>`
  }.</p>
${view.sample === null ? nobody : sending(view, view.sample)}`

const nobody =
  html`<p class="empty">There is nobody to write to: no such app is left to move, or each owner has had a mail in the last week.</p>`

const sending = (view: MailsView, { text, to }: MailPreview["sample"] & object): Html =>
  html`<p>${counted(view.owners, "owner gets a mail", "owners get a mail each")}, about ${
    counted(view.apps, "app")
  } without scopes in all. A mail is about all apps of its owner, and an owner gets one a week at most.</p>
<h2>The mail to ${to.name}</h2>
<article>
<p><strong>${text.subject}</strong><br><small class="muted">to ${to.email}</small></p>
<p>Hello ${to.name},</p>
${text.lines.map((line) => html`<p class="lines">${line}</p>`)}
</article>
<form method="post" action="/review/migration/mail">
${csrfField(view.viewer)}
<input type="hidden" name="state" value="${view.state}">
<input type="hidden" name="search" value="${view.search}">
<input type="hidden" name="sort" value="${view.sort}">
<button>Send ${counted(view.owners, "mail")}</button>
</form>`
