import type { Account } from "../../core/accounts/people/Account.ts"
import type { LiveSession } from "../../core/accounts/people/LiveSession.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
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
<h2>Where you are signed in</h2>
<div class="overflow-auto"><table>
<thead><tr><th scope="col">Browser</th><th scope="col">Network</th><th scope="col">Signed in</th><th scope="col">Last used</th><th scope="col">End</th></tr></thead>
<tbody>
${
    sessions.map(({ address, createdAt, id, lastSeenAt, userAgent }) =>
      html`<tr>
<td>${browserName(userAgent)}${id === sessionId ? html` <strong>(this one)</strong>` : nothing}</td>
<td data-label="Network">${address ?? "not known"}</td>
<td data-label="Signed in">${dateText(createdAt, account)}</td>
<td data-label="Last used">${dateText(lastSeenAt, account)}</td>
<td>${
        id === sessionId
          ? nothing
          : html`<form method="post" action="/account/sessions/end">
${csrfField(viewer)}
<input type="hidden" name="id" value="${id}">
<button class="link">Sign out<span class="visually-hidden"> ${browserName(userAgent)}, last used ${
            dateText(lastSeenAt, account)
          }</span></button>
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
<button class="secondary">Sign out everywhere else</button>
</form>`
  }
<p class="muted">If you do not know one of them, sign it out and change your password.</p>
</section>`
