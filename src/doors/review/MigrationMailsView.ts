import type { MailPreview } from "../../core/legacy/migration/MigrationMails.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { forReader, type Html, html } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
import { strong, text } from "../../foundation/web/Message.ts"
import type { Mail } from "../mails/Mail.ts"
import { plainBlocks } from "../mails/MailText.ts"
import { type BoardAddress, boardPath, stateLabel } from "./MigrationBoardView.ts"

interface MailsView extends Omit<MailPreview, "sample">, BoardAddress {
  /** Mail to the owner with the most apps; `null` if there is nobody to write to. */
  readonly sample: { readonly to: { readonly name: string; readonly email: string }; readonly mail: Mail } | null
  readonly viewer: Viewer
}

/** Page that shows what will be sent to how many, before it is sent. */
export const mailsBody = (view: MailsView): Html => {
  const { sample, search } = view
  const state = stateLabel(view.state)
  return html`<p><a href="${boardPath(view)}">${text("board")}</a></p>
<h1>${text("board.write.title")}</h1>
<p>${
    search === "" ? text("board.write.to", { state, strong }) : text("board.write.toFound", { state, search, strong })
  }</p>
${sample === null ? html`<p class="empty">${text("board.write.nobody")}</p>` : sending(view, sample)}`
}

const sending = (
  { apps, owners, search, sort, state, viewer }: MailsView,
  { mail, to }: MailsView["sample"] & object
): Html =>
  html`<p>${text("board.write.count", { owners, apps })}</p>
<h2>${text("board.write.mail", { name: html`<bdi>${to.name}</bdi>` })}</h2>
<article>
<p><strong>${mail.subject}</strong><br><small class="muted">${
    text("board.write.address", { email: to.email })
  }</small></p>
<p class="lines">${forReader((reader) => plainBlocks(mail.blocks, reader))}</p>
</article>
<form method="post" action="/review/migration/mail">
${csrfField(viewer)}
<input type="hidden" name="state" value="${state}">
<input type="hidden" name="search" value="${search}">
<input type="hidden" name="sort" value="${sort}">
<button>${text("board.write.send", { owners })}</button>
</form>`
