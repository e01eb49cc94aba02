import type { DateTime } from "effect"
import { isRejectionRecent } from "../../core/clients/life/Lifecycle.ts"
import { isObjection, isTooEarly, lossesOf } from "../../core/clients/life/ScopeLosses.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { inWords, type Usage } from "../../core/grants/Usage.ts"
import type { MigrationState } from "../../core/legacy/migration/MigrationState.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { formNotSent } from "../../foundation/web/RestoredForm.ts"
import { area } from "../../foundation/web/TextArea.ts"
import { usageIn } from "../parts/MigrationFindingsView.ts"
import { reviewPath } from "../parts/Paths.ts"
import type { LateDecisionView } from "./LateDecisionView.ts"
import { type ChecksView, twinsBox } from "./ReviewChecksView.ts"

export interface DecisionsView extends ChecksView, LateDecisionView {
  readonly catalogue: Catalogue
  /** Progress of an app from before scopes; `null` for all others. */
  readonly migration: MigrationState | null
  readonly now: DateTime.Utc
  readonly usage: Usage
}

/** Decision that waits, or may still be taken back, and then the use of the app, whatever became of its change. */
export const decisions = (view: DecisionsView): Html =>
  html`${view.client.isWaiting ? decision(view) : isRejectionRecent(view.client) ? undoing(view) : nothing}
${suspendOrResume(view)}`

/** Tells whether the approval of the change saves the scopes of a legacy app, which are validated from then on. */
export const savesScopes = ({ change, legacy }: ManagedClient): boolean =>
  legacy && change !== null && change.isWaiting && change.scopes.length > 0

const decision = (view: DecisionsView): Html => {
  const what = view.client.change === null ? "the app" : "the change"
  return html`<section aria-labelledby="decision">
<h2 id="decision">Your decision</h2>
${form(view, "approve", html`${confirmation(view)}${twinsBox(view, "Approve")}<button>Approve ${what}</button>`)}
${
    form(
      view,
      "reject",
      html`${reasonInput(view, "reject", "Reason for the rejection")}<button class="danger">Reject ${what}</button>`
    )
  }
</section>`
}

/** Box without which an approval is refused that breaks something, or that nobody can judge yet. */
const confirmation = ({ catalogue, client, failed, migration: state, now }: DecisionsView): Html => {
  if (!savesScopes(client) || state === null || state.audit === null) return nothing
  const usage = usageIn(state, state.audit)
  const isDoubtful = isTooEarly(usage, now) || lossesOf(catalogue, usage, client.change?.scopes ?? []).length > 0 ||
    (failed !== undefined && isObjection(failed.problem))
  return isDoubtful
    ? html`<label class="choice"><input type="checkbox" name="breakOldUrls" value="on"><span>Approve all the same: I know what may stop working.</span></label>
`
    : nothing
}

const suspendOrResume = (view: DecisionsView): Html => {
  const { status } = view.client
  if (status === "approved") {
    return html`<section aria-labelledby="use"><h2 id="use">Suspend</h2>${suspension(view)}</section>`
  }
  return status === "suspended"
    ? html`<section aria-labelledby="use"><h2 id="use">Resume</h2>${
      form(view, "resume", html`${twinsBox(view, "Resume")}<button>Let the app work again</button>`)
    }</section>`
    : nothing
}

const undoing = (view: DecisionsView): Html =>
  html`<section aria-labelledby="decision">
<h2 id="decision">Take the rejection back</h2>
<p>${
    view.client.status === "rejected" ? "The app" : "The change"
  } waits for review again, at its old place in the queue.</p>
${
    form(
      view,
      "undo-rejection",
      html`${
        reasonInput(view, "undo-rejection", "Reason for taking it back")
      }<button>Put it back into the queue</button>`
    )
  }
</section>`

const suspension = (view: DecisionsView): Html =>
  html`<details${view.failed?.action === "suspend" ? html` open` : nothing}>
<summary>Stop the app at once</summary>
<p>Nobody can authorize it, and its tokens stop working, until it is resumed. ${affected(view.usage)}</p>
${
    form(
      view,
      "suspend",
      html`${reasonInput(view, "suspend", "Reason for the suspension")}<button class="danger">Suspend the app</button>`
    )
  }
</details>`

/** Users who lose the app. */
const affected = (usage: Usage): string =>
  usage.users === 0 ? "No user has it connected now." : `It stops for ${inWords(usage)}.`

const reasonInput = ({ failed }: DecisionsView, action: string, label: string): Html => {
  const { problem, reason = "" } = failed?.action === action ? failed : {}
  return area(
    { id: `${action}-reason`, name: "reason", label, value: reason, rows: 3, hint: "The owner reads it." },
    problem?.details ?? []
  )
}

const form = ({ client, failed, visitor }: DecisionsView, action: string, fields: Html): Html => {
  // A form that comes back is about what its reviewer has seen; one that was refused is about what the page says now.
  const isBack = failed?.action === action && failed.problem === formNotSent
  return html`<form method="post" action="${reviewPath(client.id)}/${action}" novalidate>
${csrfField(visitor.viewer)}
<input type="hidden" name="version" value="${isBack ? failed.version : client.version}">
${fields}
</form>`
}
