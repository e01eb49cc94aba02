import type { DateTime } from "effect"
import { isObjection, isTooEarly, lossesOf, suggestionOf } from "../../core/clients/life/ScopeLosses.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { MigrationAudit } from "../../core/legacy/migration/MigrationAudit.ts"
import type { MigrationState } from "../../core/legacy/migration/MigrationState.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { counted } from "../../domain/Counted.ts"
import { allOf } from "../../domain/Text.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField, noticeOf } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { migrationFindings, usageIn } from "../parts/MigrationFindingsView.ts"
import { appPath, migrationPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"
import { scopePicker } from "./ScopePickerView.ts"

export interface MigrationView {
  readonly catalogue: Catalogue
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly state: MigrationState
  readonly now: DateTime.Utc
  /** Problem with the form, the scopes that were chosen in it, and the version of the app that it was for. */
  readonly problem?: BadRequest | Conflict
  readonly entered?: ReadonlyArray<string>
  readonly version?: number
}

export const migrationBody = (view: MigrationView): Html => {
  const { client, state } = view
  return html`<p><a href="${appPath(client.id)}">${client.name}</a></p>
<h1>Move to scopes</h1>
${noticeOf(view.visitor.notice)}
${alert(view.problem)}
${
    state.audit === null
      ? html`<p>This app has always had scopes: there is nothing to move.</p>`
      : findings(view, state.audit)
  }
${state.legacy ? saving(view) : nothing}
${state.undoUntil === null ? nothing : undoing(view, state.undoUntil)}`
}

/** Levels whose scopes are reviewed, whatever the app: "team and organization". */
export const reviewedLevels = ({ file }: Catalogue): string =>
  allOf(file.levels.flatMap(({ id, reviewAlways = false }) => reviewAlways ? [id] : []))

const findings = ({ now, state, visitor: { account } }: MigrationView, audit: MigrationAudit): Html =>
  html`<section aria-labelledby="findings">
<h2 id="findings">Where it stands</h2>
${migrationFindings({ account, audit, now, state })}
<p class="muted">Old grants go on working and refreshing until their user authorizes the app again.</p>
${state.unrotatedGrants > 0 ? unstored(state.unrotatedGrants) : nothing}
</section>`

/** Asks for what an app of a server that did not rotate has never needed: it hears of it here, before users notice. */
const unstored = (installations: number): Html =>
  html`<div class="notice" role="note"><p><strong>Does the app keep the refresh token of each answer?</strong> ${
    counted(installations, "installation has", "installations have")
  } not used one of this server yet. What they send still works, but only until their user authorizes the app again: the new grant
is like any other, whose refresh tokens work once each. An app that sends one a second time later on is taken for a thief, and the
user's access ends.</p></div>`

const saving = (view: MigrationView): Html => {
  const { catalogue, client, entered, now, problem, state, version = client.version, visitor } = view
  const { audit } = state
  const reviewed = reviewedLevels(catalogue)
  const asked = client.change?.scopes ?? []
  const seen = suggestionOf(catalogue, state.seen, now)
  const isDoubtful = audit !== null &&
    (isTooEarly(usageIn(state, audit), now) || lossesOf(catalogue, usageIn(state, audit), seen).length > 0)
  return html`<section aria-labelledby="saving">
<h2 id="saving">Save scopes</h2>
<ol>
<li>First add <code>scope</code> to the authorization URL of your app, with the scopes that it needs. New tokens then carry only those.</li>
<li>When no request without scope has come for a while, choose the scopes here that were seen, and save. From then on every new request is checked against them.</li>
</ol>
${audit === null ? nothing : warning(audit)}
<form method="post" action="${migrationPath(client.id)}">
${csrfField(visitor.viewer)}
<input type="hidden" name="version" value="${version}">
${
    scopePicker({
      catalogue,
      chosen: entered ?? (asked.length > 0 ? asked : seen),
      held: client.change?.isWaiting ? asked : [],
      now,
      faults: problem?.details ?? []
    })
  }
${
    reviewed === "" ?
      nothing :
      html`<p class="muted">${reviewed.charAt(0).toUpperCase()}${
        reviewed.slice(1)
      } scopes are reviewed by an administrator before anything changes.</p>`
  }
${
    isDoubtful || (problem !== undefined && isObjection(problem))
      ? html`<label class="choice"><input type="checkbox" name="breakOldUrls" value="on"><span>Save all the same: I know what may stop working.</span></label>`
      : nothing
  }
<button>Save scopes</button>
</form>
</section>`
}

const warning = ({ days, scopedRequests, unscopedRequests }: MigrationAudit): Html =>
  unscopedRequests > 0
    ? html`<div class="notice" role="note"><p><strong>URLs without scope are still in use.</strong> ${
      counted(unscopedRequests, "request")
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
