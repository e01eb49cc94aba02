import type { DateTime } from "effect"
import { isRejectionRecent } from "../../core/clients/life/Lifecycle.ts"
import { isObjection, isTooEarly, lossesOf } from "../../core/clients/life/ScopeLosses.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { AppUse } from "../../core/grants/AppUse.ts"
import type { MigrationState } from "../../core/legacy/migration/MigrationState.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { area } from "../../foundation/web/TextArea.ts"
import { byKey } from "../parts/KeysView.ts"
import { usageIn } from "../parts/MigrationFindingsView.ts"
import { decisionForm } from "./DecisionForm.ts"
import { leftOutBoxes } from "./LeftOutView.ts"
import { reasonTemplate } from "./ReasonTemplates.ts"
import { twinsBox } from "./ReviewChecksView.ts"
import { claimLine, threadForms, type ThreadView } from "./ThreadView.ts"
import type { UndoView } from "./UndoView.ts"

export interface DecisionsView extends UndoView, ThreadView {
  readonly catalogue: Catalogue
  /** Progress of an app from before scopes; `null` for all others. */
  readonly migration: MigrationState | null
  readonly now: DateTime.Utc
  readonly usage: AppUse
}

/** Decision that waits, or may still be taken back, what reviewers say to each other, and then the use of the app. */
export const decisions = (view: DecisionsView): Html =>
  html`<section class="decisions" aria-labelledby="decision">
<h2 id="decision">${text("review.decision")}</h2>
${view.client.isWaiting ? decision(view) : canTakeBack(view) ? undoing(view) : nothing}
${threadForms(view)}
${suspendOrResume(view)}
${claimLine(view)}
</section>`

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
  return html`${
    decisionForm(
      view,
      "approve",
      html`${confirmation(view)}${twinsBox(view, "approve")}<button${byKey("a")}>${approve}</button>${
        leftOutBoxes(view)
      }`
    )
  }
${
    fold(
      view,
      "reject",
      reject,
      decisionForm(
        view,
        "reject",
        html`${reasonInput(view, "reject", text("review.reject.reason"))}<button class="danger">${reject}</button>`
      ),
      byKey("r")
    )
  }`
}

/** Form that opens when it is wanted, or comes back. */
const fold = ({ failed }: DecisionsView, action: string, label: Phrase, form: Html, key: Html = nothing): Html =>
  html`<details${failed?.action === action ? html` open` : nothing}>
<summary${key}>${text("decisions.more", { label })}</summary>
${form}
</details>`

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
  switch (view.client.status) {
    case "approved":
      return suspension(view)
    case "suspended":
      return decisionForm(view, "resume", html`${twinsBox(view, "resume")}<button>${text("review.resume")}</button>`)
    default:
      return nothing
  }
}

const undoing = (view: DecisionsView): Html =>
  html`<h3>${text("review.undo")}</h3>
<p>${text(view.client.status === "rejected" ? "review.undo.what" : "review.undo.whatChange")}</p>
${
    decisionForm(
      view,
      "undo-rejection",
      html`${reasonInput(view, "undo-rejection", text("review.undo.reason"))}<button>${text("review.undo")}</button>`
    )
  }`

/** Says before it is opened, and on its button, whom the suspension stops. */
const suspension = (view: DecisionsView): Html => {
  const { isComplete, users } = view.usage
  const button = isComplete ? text("suspension.button", { users }) : text("suspension.buttonAtLeast", { users })
  return fold(
    view,
    "suspend",
    text("review.suspend"),
    html`<p>${text("review.suspend.what")} ${
      isComplete ? text("review.suspend.affected", { users }) : text("review.suspend.affectedAtLeast", { users })
    }</p>
${
      decisionForm(
        view,
        "suspend",
        html`${reasonInput(view, "suspend", text("review.suspend.reason"))}<button class="danger">${button}</button>`
      )
    }`
  )
}

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
