import { isRejectionRecent } from "../../core/clients/life/Lifecycle.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { actionLabels, type TrailEntry } from "../parts/AuditTrailView.ts"
import type { Visitor } from "../session/PageSession.ts"

/** A decision that could not be taken, with the words that were entered with it and the version that was looked at. */
export interface FailedDecision {
  readonly action: string
  readonly problem: BadRequest | Conflict
  readonly reason: string
  readonly version: number
}

export interface LateDecisionView {
  readonly client: ManagedClient
  readonly failed?: FailedDecision
  readonly trail: ReadonlyArray<TrailEntry>
  readonly visitor: Visitor
}

/** Event that came before a decision, such as another reviewer's, and the reason that was written for the decision. */
export const lateDecision = (view: LateDecisionView): Html => html`${meanwhile(view)}${keptReason(view)}`

const meanwhile = ({ failed, trail, visitor: { account } }: LateDecisionView): Html => {
  if (failed?.problem.code !== "version_conflict") return nothing
  const entries = trail.filter(({ details }) => Number(details["version"]) > failed.version)
  return entries.length === 0 ?
    nothing :
    notice(
      "note",
      html`<p><strong>${text("review.meanwhile")}</strong></p><ul>${
        entries.map(({ action, actor, at, by, details: { reason } }) =>
          html`<li>${
            text("review.meanwhile.act", {
              at: dateText(at, account),
              by: actor === account.id ? text("review.meanwhile.you") : by,
              action: actionLabels.get(action) ?? action
            })
          }${reason === undefined ? nothing : html`<blockquote class="lines">${reason}</blockquote>`}</li>`
        )
      }</ul>`
    )
}

/** Shows the reason where its form is gone; otherwise it stands in the form. */
const keptReason = ({ client, failed }: LateDecisionView): Html =>
  failed === undefined || failed.reason === "" || withReason(client).includes(failed.action)
    ? nothing
    : html`<p><label for="kept-reason">${text("review.keptReason")}</label>
<textarea id="kept-reason" rows="3" readonly>
${failed.reason}</textarea></p>
`

/** Decisions with a reason that the page has a form for. */
const withReason = (client: ManagedClient): ReadonlyArray<string> => [
  "note",
  ...(client.isWaiting ? ["reject", "ask"] : []),
  ...(client.status === "approved" ? ["suspend"] : []),
  ...(isRejectionRecent(client) ? ["undo-rejection"] : [])
]
