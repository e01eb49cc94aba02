import type { Undoable } from "../../core/clients/review/Decision.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { notice, noticeOf } from "../../foundation/web/Notice.ts"
import { byKey } from "../parts/KeysView.ts"
import { reviewPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"

export interface DecidedBeforeView {
  readonly visitor: Visitor
  /** App that the reviewer comes from, as the address has it. */
  readonly from: string | undefined
  /** Decision about that app, while its reviewer may undo it. */
  readonly decided: Undoable | undefined
}

/** Review of an app, for somebody who comes from another; `undefined` stands for the queue. */
export const reviewPathFrom = (from: string, to: string | undefined): string =>
  `${to === undefined ? "/review" : reviewPath(to)}?${new URLSearchParams({ from }).toString()}`

/** The decision that led to this page, with the button that undoes it. */
export const decidedBefore = ({ decided, visitor }: DecidedBeforeView): Html => {
  if (decided === undefined) return noticeOf(visitor.notice)
  const { clientId, name, until, version } = decided
  return notice(
    "done",
    html`<p>${visitor.notice ?? text("decided.before", { app: html`<bdi>${name}</bdi>` })}</p>
<form method="post" action="${reviewPath(clientId)}/undo" class="undo">
${csrfField(visitor.viewer)}
<input type="hidden" name="version" value="${version}">
<button class="secondary"${byKey("u")}>${text("review.undo.decision")}</button>
<small class="muted">${text("decided.until", { until: dateText(until, visitor.account) })}</small>
</form>`,
    visitor.notice === undefined ? nothing : undefined
  )
}
