import type { DateTime } from "effect"
import { isRejectionRecent } from "../../core/clients/life/Lifecycle.ts"
import { isObjection, isTooEarly, lossesOf } from "../../core/clients/life/ScopeLosses.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { Usage } from "../../core/grants/Usage.ts"
import type { MigrationState } from "../../core/legacy/migration/MigrationState.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { area } from "../../foundation/web/TextArea.ts"
import { usageIn } from "../parts/MigrationFindingsView.ts"
import { decisionForm } from "./DecisionForm.ts"
import { leftOutBoxes } from "./LeftOutView.ts"
import { reasonTemplate } from "./ReasonTemplates.ts"
import { twinsBox } from "./ReviewChecksView.ts"
import type { UndoView } from "./UndoView.ts"

export interface DecisionsView extends UndoView {
  readonly catalogue: Catalogue
  /** Progress of an app from before scopes; `null` for all others. */
  readonly migration: MigrationState | null
  readonly now: DateTime.Utc
  readonly usage: Usage
}

/** Decision that waits, or may still be taken back, and then the use of the app, whatever became of its change. */
export const decisions = (view: DecisionsView): Html =>
  html`${view.client.isWaiting ? decision(view) : canTakeBack(view) ? undoing(view) : nothing}
${suspendOrResume(view)}`

/** A rejection that its own reviewer may undo needs no reason. */
const canTakeBack = ({ client, undoable }: DecisionsView): boolean =>
  undoable === undefined && isRejectionRecent(client)

/** Tells whether the approval of the change saves the scopes of a legacy app, which are validated from then on. */
export const savesScopes = ({ change, legacy }: ManagedClient): boolean =>
  legacy && change !== null && change.isWaiting && change.scopes.length > 0

const decision = (view: DecisionsView): Html => {
  const [approve, reject] = view.client.change === null
    ? [text("review.approve"), text("review.reject")]
    : [text("review.approve.change"), text("review.reject.change")]
  return html`<section aria-labelledby="decision">
<h2 id="decision">${text("review.decision")}</h2>
${
    decisionForm(
      view,
      "approve",
      html`${confirmation(view)}${twinsBox(view, "approve")}${leftOutBoxes(view)}<button>${approve}</button>`
    )
  }
${
    decisionForm(
      view,
      "reject",
      html`${reasonInput(view, "reject", text("review.reject.reason"))}<button class="danger">${reject}</button>`
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
    ? html`<label class="choice"><input type="checkbox" name="breakOldUrls" value="on"><span>${
      text("review.approve.losses")
    }</span></label>
`
    : nothing
}

const suspendOrResume = (view: DecisionsView): Html => {
  const { status } = view.client
  if (status === "approved") {
    return html`<section aria-labelledby="use"><h2 id="use">${text("review.suspension")}</h2>${
      suspension(view)
    }</section>`
  }
  return status === "suspended"
    ? html`<section aria-labelledby="use"><h2 id="use">${text("review.suspension")}</h2>${
      decisionForm(view, "resume", html`${twinsBox(view, "resume")}<button>${text("review.resume")}</button>`)
    }</section>`
    : nothing
}

const undoing = (view: DecisionsView): Html =>
  html`<section aria-labelledby="decision">
<h2 id="decision">${text("review.undo")}</h2>
<p>${text(view.client.status === "rejected" ? "review.undo.what" : "review.undo.whatChange")}</p>
${
    decisionForm(
      view,
      "undo-rejection",
      html`${reasonInput(view, "undo-rejection", text("review.undo.reason"))}<button>${text("review.undo")}</button>`
    )
  }
</section>`

const suspension = (view: DecisionsView): Html =>
  html`<details${view.failed?.action === "suspend" ? html` open` : nothing}>
<summary>${text("review.suspend.open")}</summary>
<p>${text("review.suspend.what")} ${affected(view.usage)}</p>
${
    decisionForm(
      view,
      "suspend",
      html`${reasonInput(view, "suspend", text("review.suspend.reason"))}<button class="danger">${
        text("review.suspend")
      }</button>`
    )
  }
</details>`

/** Users who lose the app. */
const affected = ({ isComplete, users }: Usage): Html =>
  isComplete ? text("review.suspend.affected", { users }) : text("review.suspend.affectedAtLeast", { users })

const reasonInput = ({ failed }: DecisionsView, action: string, label: Phrase): Html => {
  const { problem, reason = "" } = failed?.action === action ? failed : {}
  const input = area(
    {
      id: `${action}-reason`,
      name: "reason",
      label,
      value: reason,
      rows: 3,
      hint: text("review.reason.hint"),
      required: action === "undo-rejection"
    },
    problem?.details ?? []
  )
  return action === "undo-rejection" ? input : html`${reasonTemplate(action)}${input}`
}
