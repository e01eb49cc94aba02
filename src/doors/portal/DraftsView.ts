import type { Draft } from "../../core/clients/life/RegistrationDrafts.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { hidden, link, text } from "../../foundation/web/Message.ts"
import type { Visitor } from "../session/PageSession.ts"
import { stepAddress, unfinished } from "./RegisterSteps.ts"

/** Registrations that were begun, above the list of apps. */
export const draftList = ({ account, viewer }: Visitor, drafts: ReadonlyArray<Draft>): Html =>
  drafts.length === 0 ? nothing : html`<section aria-labelledby="drafts">
<h2 id="drafts">${text("drafts")}</h2>
<ul class="rows">
${
    drafts.map((draft) => {
      const name = draft.fields.name ? html`<bdi>${draft.fields.name}</bdi>` : text("drafts.unnamed")
      return html`<li>
<div>${text("drafts.goOn", { name, link: link(stepAddress(unfinished(draft), draft.id)) })}
<small class="muted">${text("drafts.changed", { at: dateText(draft.updatedAt, account) })}</small></div>
<form method="post" action="${discardPath}">${csrfField(viewer)}<input type="hidden" name="draft" value="${draft.id}">
<button class="link">${text("drafts.discard", { name, hidden })}</button></form>
</li>`
    })
  }
</ul>
</section>`

export const discardPath = "/settings/apps/new/discard"
