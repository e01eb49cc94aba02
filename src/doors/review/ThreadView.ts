import { isWithoutOwner, type ManagedClient } from "../../core/clients/records/Client.ts"
import type { Claim } from "../../core/clients/review/Claim.ts"
import type { Thread } from "../../core/clients/review/ReviewDesk.ts"
import type { ReviewMessage } from "../../core/clients/review/ReviewMessage.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { area } from "../../foundation/web/TextArea.ts"
import { byKey } from "../parts/KeysView.ts"
import { reviewPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"
import type { FailedDecision } from "./LateDecisionView.ts"
import { reasonTemplate } from "./ReasonTemplates.ts"

export interface ThreadView {
  readonly client: ManagedClient
  readonly visitor: Visitor
  readonly thread: Thread<ReviewMessage>
  readonly claim: Claim | undefined
  /** Names of authors and claimers by their ids. */
  readonly people: ReadonlyMap<string, Phrase>
  readonly failed?: FailedDecision
}

/** Who has claimed the app, with the button that one may press. */
export const claimLine = (view: ThreadView): Html => html`<section>${claimOrButton(view)}</section>`

const claimOrButton = (view: ThreadView): Html => {
  const { claim, people, visitor: { account } } = view
  if (claim === undefined) return button(view, "claim", text("claim.claim"))
  const until = dateText(claim.endsAt, account)
  if (claim.reviewer === account.id) {
    return html`<p>${text("claim.mine", { until })}</p>${button(view, "release", text("claim.release"))}`
  }
  const who = people.get(claim.reviewer) ?? claim.reviewer
  return html`${notice("note", html`<p>${text("claim.others", { who, until })}</p>`)}
${button(view, "claim", text("claim.takeOver"), html`<input type="hidden" name="from" value="${claim.reviewer}">`)}`
}

/** Forms of what a reviewer writes: to the owner of an app that waits, and to the other reviewers. */
export const threadForms = (view: ThreadView): Html =>
  html`${
    view.client.isWaiting && !isWithoutOwner(view.client)
      ? writing(view, "ask", html`${reasonTemplate("ask")}${written(view, "ask", text("thread.ask.hint"))}`)
      : nothing
  }
${writing(view, "note", written(view, "note", text("thread.note.hint")))}`

const writing = (view: ThreadView, action: "ask" | "note", fields: Html): Html =>
  html`<details${view.failed?.action === action ? html` open` : nothing}>
<summary${byKey(keys[action])}>${text(`thread.${action}.open`)}</summary>
<form method="post" action="${reviewPath(view.client.id)}/${action}" novalidate>
${csrfField(view.visitor.viewer)}
${fields}
<button>${text(`thread.${action}.send`)}</button>
</form>
</details>`

const keys = { ask: "q", note: "c" } as const

const written = ({ failed }: ThreadView, action: "ask" | "note", hint: Phrase): Html => {
  const { problem, reason = "" } = failed?.action === action ? failed : {}
  return area(
    {
      id: `${action}-text`,
      name: "text",
      label: text(`thread.${action}.text`),
      value: reason,
      rows: 3,
      hint,
      required: action === "note"
    },
    problem?.details ?? []
  )
}

const button = ({ client, visitor }: ThreadView, action: string, label: Phrase, fields: Html = nothing): Html =>
  html`<form method="post" action="${reviewPath(client.id)}/${action}">${
    csrfField(visitor.viewer)
  }${fields}<button class="secondary">${label}</button></form>`
