import { Option } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import type { Invitation } from "../../core/clients/testapps/TestInvitations.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { hidden, text } from "../../foundation/web/Message.ts"
import type { Visitor } from "../session/PageSession.ts"
import { developerName, reportPath } from "./AskingApp.ts"
import { connectionsPath } from "./ConnectionsAddress.ts"

/** An invitation with the owner who asks, if they still have an account. */
export interface AskedGuest extends Invitation {
  readonly owner: Option.Option<Account>
}

/** Invitations to test apps on the page of connected apps; nothing where there are none. */
export const testInvitations = (visitor: Visitor, invitations: ReadonlyArray<AskedGuest>): Html =>
  invitations.length === 0 ? nothing : html`<section aria-labelledby="test-invitations">
<h2 id="test-invitations">${text("testInvitations")}</h2>
<p>${text("testInvitations.about")}</p>
<ul class="rows">${invitations.map((invitation) => row(visitor, invitation))}</ul>
</section>`

const row = ({ viewer }: Visitor, { acceptedAt, clientId, name, owner, website }: AskedGuest): Html => {
  const app = html`<strong><bdi>${name}</bdi></strong>`
  const who = html`<bdi>${developerName(owner) ?? text("testInvitations.somebody")}</bdi>`
  const host = URL.canParse(website) ? new URL(website).host : ""
  const answer = (act: string, button: Html, look: string) =>
    html`<form method="post" action="${testInvitationPath(clientId)}/${act}">${
      csrfField(viewer)
    }<button class="${look}">${button}</button></form>`
  const report = new URLSearchParams({ client_id: clientId, return_to: connectionsPath })
  return html`<li><div>${
    text(acceptedAt === null ? "testInvitations.asks" : "testInvitations.accepted", { who, app })
  }${host === "" ? nothing : html` <small class="muted"><bdi>${host}</bdi></small>`}${
    acceptedAt === null
      ? html` <small><a href="${reportPath}?${report.toString()}">${text("consent.report")}</a></small>`
      : nothing
  }</div>
<div class="actions">${
    acceptedAt === null
      ? html`${answer("accept", text("testInvitations.accept", { app: name, hidden }), "secondary")}${
        answer("decline", text("testInvitations.decline", { app: name, hidden }), "link")
      }`
      : answer("leave", text("testInvitations.leave", { app: name, hidden }), "link")
  }</div></li>`
}

export const testInvitationPath = (testId: string): string => `${connectionsPath}/tests/${encodeURIComponent(testId)}`
