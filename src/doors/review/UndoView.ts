import type { FirstApproval, Undoable } from "../../core/clients/review/Decision.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { byKey } from "../parts/KeysView.ts"
import { decisionForm } from "./DecisionForm.ts"
import type { LateDecisionView } from "./LateDecisionView.ts"
import { type ChecksView, twinsBox } from "./ReviewChecksView.ts"

export interface UndoView extends LateDecisionView, ChecksView {
  /** Decision about the app that its reader may undo. */
  readonly undoable: Undoable | undefined
  /** First of two approvals of what waits. */
  readonly first: FirstApproval | undefined
}

/** Decision that its reviewer may undo, or an approval that waits for another reviewer's. */
export const undoNotice = (view: UndoView): Html => html`${decided(view)}${firstApproval(view)}`

const decided = (view: UndoView): Html => {
  const { undoable, visitor: { account } } = view
  if (undoable === undefined) return nothing
  const { at, kind, until } = undoable
  // The app becomes approved again, by a name that another may have got meanwhile.
  const twins = kind === "suspended" ? twinsBox(view, "resume") : nothing
  return notice(
    "note",
    html`<p>${text(`review.undo.decision.${kind}`, { at: dateText(at, account), until: dateText(until, account) })}</p>
${decisionForm(view, "undo", html`${twins}<button${byKey("u")}>${text("review.undo.decision")}</button>`)}`
  )
}

const firstApproval = (view: UndoView): Html => {
  const { first, people, visitor: { account } } = view
  if (first === undefined) return nothing
  const isOwn = first.reviewer === account.id
  const at = dateText(first.at, account)
  const without = first.without.length === 0
    ? nothing
    : html`<p>${
      text("review.first.without", { scopes: listText(first.without.map((scope) => html`<code>${scope}</code>`)) })
    }</p>`
  return notice(
    "note",
    html`<p>${
      isOwn
        ? text("review.first.own", { at })
        : text("review.first", { at, by: people.get(first.reviewer) ?? first.reviewer })
    }</p>${without}${
      isOwn ? decisionForm(view, "undo", html`<button${byKey("u")}>${text("review.first.undo")}</button>`) : nothing
    }`
  )
}
