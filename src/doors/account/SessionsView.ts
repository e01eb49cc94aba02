import type { Account } from "../../core/accounts/people/Account.ts"
import type { LiveSession } from "../../core/accounts/people/LiveSession.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
import { strong, text } from "../../foundation/web/Message.ts"
import { browserName } from "./BrowserName.ts"

export interface SessionsView {
  readonly account: Account
  readonly viewer: Viewer
  readonly sessions: ReadonlyArray<LiveSession>
  /** Session that the page is shown in. */
  readonly sessionId: string
}

/** Browsers in which the user is signed in. */
export const sessionsSection = ({ account, sessionId, sessions, viewer }: SessionsView): Html =>
  html`<section id="sessions">
<h2 id="sessions-title">${text("sessions")}</h2>
<div class="overflow-auto"><table aria-labelledby="sessions-title">
<thead><tr><th scope="col">${text("sessions.browser")}</th><th scope="col">${
    text("sessions.address")
  }</th><th scope="col">${text("sessions.signedIn")}</th><th scope="col">${
    text("sessions.lastUsed")
  }</th><th scope="col">${text("sessions.end")}</th></tr></thead>
<tbody>
${
    sessions.map(({ address, createdAt, id, lastSeenAt, userAgent }) =>
      html`<tr>
<td class="device">${browserName(userAgent)}${
        id === sessionId ? html` ${text("sessions.browser.this", { strong })}` : nothing
      }</td>
<td data-label="${text("sessions.address")}">${
        address === null ? text("sessions.address.unknown") : html`<bdi>${address}</bdi>`
      }</td>
<td data-label="${text("sessions.signedIn")}">${dateText(createdAt, account)}</td>
<td data-label="${text("sessions.lastUsed")}">${dateText(lastSeenAt, account)}</td>
<td>${
        id === sessionId
          ? nothing
          : html`<form method="post" action="/account/sessions/end">
${csrfField(viewer)}
<input type="hidden" name="id" value="${id}">
<button class="link">${
            text("sessions.signOut", {
              browser: browserName(userAgent),
              at: dateText(lastSeenAt, account),
              hidden: (content) => html`<span class="visually-hidden">${content}</span>`
            })
          }</button>
</form>`
      }</td>
</tr>`
    )
  }
</tbody>
</table></div>
${
    sessions.length < 2
      ? nothing
      : html`<form method="post" action="/account/sessions/end-others">
${csrfField(viewer)}
<button class="secondary">${text("sessions.signOutOthers")}</button>
</form>`
  }
<p class="muted">${text("sessions.unknown")}</p>
</section>`
