import type { OwnerMessage } from "../../core/clients/review/ReviewMessage.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { area } from "../../foundation/web/TextArea.ts"
import { messageList } from "../parts/MessageList.ts"
import { appPath } from "../parts/Paths.ts"
import type { OverviewState } from "./OverviewState.ts"

/** Questions of reviewers that are not answered yet, with the form for the answer. */
export const openQuestion = (view: OverviewState): Html =>
  html`<div id="thread"><p>${text("thread.owner.asked")}</p>
${messageList(openIn(view), view.visitor.account)}
${form(view)}</div>`

/** What was asked and answered before, folded; while the app waits for review, an answer can be added to. */
export const pastThread = (view: OverviewState): Html => {
  const { messages, isAsked, takesAnswers } = view.thread
  const past = messages.slice(0, messages.length - openIn(view).length)
  return past.length === 0 ?
    nothing :
    html`<details${isAsked ? nothing : html` id="thread"`}${
      view.form === "answer" && takesAnswers && !isAsked ? html` open` : nothing
    }><summary>${text("thread.owner")}</summary>
${isAsked ? nothing : html`<p>${text("thread.owner.nothingOpen")}</p>`}
${messageList(past, view.visitor.account)}
${takesAnswers && !isAsked ? form(view) : nothing}
</details>`
}

/** Last messages, of which none is an answer. */
const openIn = ({ thread: { isAsked, messages } }: OverviewState): ReadonlyArray<OwnerMessage> =>
  isAsked ? messages.slice(messages.findLastIndex(({ kind }) => kind === "answer") + 1) : []

const form = ({ answer = "", client, form, problem, visitor }: OverviewState): Html => {
  const fault = form === "answer" ? problem : undefined
  return html`${alert(fault)}
<form method="post" action="${appPath(client.id)}/answer" novalidate>
${csrfField(visitor.viewer)}
${
    area(
      {
        id: "answer",
        name: "text",
        label: text("thread.answer"),
        value: answer,
        rows: 4,
        hint: text("thread.answer.hint")
      },
      fault?.details ?? []
    )
  }
<button>${text("thread.answer.send")}</button>
</form>`
}
