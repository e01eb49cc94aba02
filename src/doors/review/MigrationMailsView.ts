import type { MailPreview } from "../../core/legacy/migration/MigrationMails.ts"
import { counted } from "../../domain/Counted.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { forReader, type Html, html } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
import type { Mail } from "../mails/Mail.ts"
import { plainBlocks } from "../mails/MailText.ts"
import { type BoardAddress, boardPath, stateLabels } from "./MigrationBoardView.ts"

interface MailsView extends Omit<MailPreview, "sample">, BoardAddress {
  /** Mail to the owner with the most apps; `null` if there is nobody to write to. */
  readonly sample: { readonly to: { readonly name: string; readonly email: string }; readonly mail: Mail } | null
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

const sending = (view: MailsView, { mail, to }: MailsView["sample"] & object): Html =>
  html`<p>${counted(view.owners, "owner gets a mail", "owners get a mail each")}, about ${
    counted(view.apps, "app")
  } without scopes in all. A mail is about all apps of its owner, and an owner gets one a week at most.</p>
<h2>The mail to ${to.name}</h2>
<article>
<p><strong>${mail.subject}</strong><br><small class="muted">to ${to.email}</small></p>
<p class="lines">${forReader((reader) => plainBlocks(mail.blocks, reader))}</p>
</article>
<form method="post" action="/review/migration/mail">
${csrfField(view.viewer)}
<input type="hidden" name="state" value="${view.state}">
<input type="hidden" name="search" value="${view.search}">
<input type="hidden" name="sort" value="${view.sort}">
<button>Send ${counted(view.owners, "mail")}</button>
</form>`
