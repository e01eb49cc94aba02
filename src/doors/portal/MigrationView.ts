import type { DateTime } from "effect"
import type { ManagedClient } from "../../core/clients/Client.ts"
import type { MigrationAudit } from "../../core/legacy/migration/MigrationAudit.ts"
import type { MigrationState } from "../../core/legacy/migration/MigrationState.ts"
import { verdictText } from "../../core/legacy/migration/MigrationVerdict.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Visitor } from "../account/PageSession.ts"
import { appPath, migrationPath } from "./Paths.ts"
import { scopePicker } from "./ScopePickerView.ts"
import { noticeOf } from "./StatusView.ts"

export interface MigrationView {
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly state: MigrationState
  readonly notice?: string | undefined
  /** The problem with the form, and the scopes that were chosen in it. */
  readonly problem?: BadRequest | Conflict
  readonly entered?: ReadonlyArray<string>
}

export const notices: ReadonlyMap<string, string> = new Map([
  ["saved", "Saved: every new authorization request is checked against these scopes now."],
  ["review", "An administrator reviews the team and organization scopes first. Until then nothing changes."],
  ["undone", "Taken back: URLs without scope work again."]
])

export const migrationBody = (view: MigrationView): Html => {
  const { client, state } = view
  return html`<p><a href="${appPath(client.id)}">${client.name}</a></p>
<h1>Move to scopes</h1>
${noticeOf(view.notice)}
${alert(view.problem?.message)}
${
    state.audit === null
      ? html`<p>This app has always had scopes: there is nothing to move.</p>`
      : findings(view, state.audit)
  }
${state.legacy ? saving(view) : nothing}
${state.undoUntil === null ? nothing : undoing(view, state.undoUntil)}`
}

const findings = (
  { state: { ignoredWords, migratedAt, refused, unrotatedGrants }, visitor }: MigrationView,
  audit: MigrationAudit
): Html =>
  html`<section aria-labelledby="findings">
<h2 id="findings">Where it stands</h2>
<p><strong>${verdictText(audit.verdict, audit.unscopedGrants)}</strong></p>
<div class="overflow-auto"><table>
<tbody>
<tr><th scope="row">Requests without scope, last ${audit.days} days</th><td>${audit.unscopedRequests}${
    audit.lastUnscopedAt === null ? nothing : html`, the last ${dateText(audit.lastUnscopedAt, visitor.account)}`
  }</td></tr>
<tr><th scope="row">Requests with scope, last ${audit.days} days</th><td>${audit.scopedRequests}</td></tr>
<tr><th scope="row">Scopes that they named</th><td>${
    audit.scopes.length === 0 ? "none" : audit.scopes.map((scope) => html`<code>${scope}</code> `)
  }</td></tr>
${
    ignoredWords.length === 0
      ? nothing
      : html`<tr><th scope="row">Words in <code>scope</code> that are no scopes here, ignored until you save and refused from then on</th><td><ul>${
        ignoredWords.map(({ lastAt, requests, word }) =>
          html`<li><code>${word}</code> in ${requests} ${requests === 1 ? "request" : "requests"}, the last ${
            dateText(lastAt, visitor.account)
          }</li>`
        )
      }</ul></td></tr>`
  }
<tr><th scope="row">Old grants, which nothing restricts</th><td>${audit.unscopedGrants}</td></tr>
<tr><th scope="row">Installations that still send the refresh token of the server before, or none</th><td>${unrotatedGrants}</td></tr>
${
    migratedAt === null || refused === null
      ? nothing
      : html`<tr><th scope="row">Requests without scope refused since you saved, ${
        dateText(migratedAt, visitor.account)
      }</th><td>${refused.requests}${
        refused.lastAt === null ? nothing : html`, the last ${dateText(refused.lastAt, visitor.account)}`
      }</td></tr>`
  }
</tbody></table></div>
<p class="muted">Old grants go on working and refreshing until their user authorizes the app again.</p>
</section>`

const saving = (view: MigrationView): Html => {
  const { client, entered, state: { audit }, visitor } = view
  const asked = client.change?.scopes ?? []
  return html`<section aria-labelledby="saving">
<h2 id="saving">Save scopes</h2>
<ol>
<li>First add <code>scope</code> to the authorization URL of your app, with the scopes that it needs. New tokens then carry only those.</li>
<li>When no request without scope has come for a while, choose the same scopes here and save. From then on every new request is checked against them.</li>
</ol>
${audit === null ? nothing : warning(audit)}
<form method="post" action="${migrationPath(client.id)}">
${csrfField(visitor.viewer)}
<input type="hidden" name="version" value="${client.version}">
${scopePicker(entered ?? (asked.length > 0 ? asked : audit?.scopes ?? []), [])}
<p class="muted">Team and organization scopes are reviewed by an administrator before anything changes.</p>
${
    (audit?.unscopedRequests ?? 0) > 0
      ? html`<label class="choice"><input type="checkbox" name="breakOldUrls" value="on"><span>I know that URLs without scope will stop working.</span></label>`
      : nothing
  }
<button>Save scopes</button>
</form>
</section>`
}

const warning = ({ days, scopedRequests, unscopedRequests }: MigrationAudit): Html =>
  unscopedRequests > 0
    ? html`<div class="notice" role="note"><p><strong>URLs without scope are still in use.</strong> ${unscopedRequests} ${
      unscopedRequests === 1 ? "request" : "requests"
    } of the last ${days} days named none. If you save now, everybody who opens such a URL is sent back to your app with the error <code>invalid_scope</code> and cannot connect it.</p></div>`
    : scopedRequests === 0
    ? html`<div class="notice" role="note"><p>No request of this app was seen in the last ${days} days, so nobody can tell whether its URL names scopes. Look yourself before you save.</p></div>`
    : nothing

const undoing = ({ client, visitor }: MigrationView, until: DateTime.Utc): Html =>
  html`<section aria-labelledby="undoing">
<h2 id="undoing">Take it back</h2>
<p>If users cannot connect the app any more, take the saved scopes back: requests are not checked then, and URLs without scope work as before. This is possible until ${
    dateText(until, visitor.account)
  }.</p>
<form method="post" action="${migrationPath(client.id)}/undo">
${csrfField(visitor.viewer)}
<input type="hidden" name="version" value="${client.version}">
<button class="secondary">Take saved scopes back</button>
</form>
</section>`
