import type { Thread } from "../../core/clients/review/ReviewDesk.ts"
import type { OwnerMessage } from "../../core/clients/review/ReviewMessage.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { area } from "../../foundation/web/TextArea.ts"
import { messageList } from "../parts/MessageList.ts"
import { appPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"

export interface ThreadView {
  readonly id: string
  readonly visitor: Visitor
  readonly thread: Thread<OwnerMessage>
  /** Answer that could not be sent, and why. */
  readonly problem: BadRequest | Conflict | undefined
  readonly answer: string
}

/** Questions of reviewers and the owner's answers, with the form for an answer while the app waits for review. */
export const ownerThread = (view: ThreadView): Html =>
  view.thread.messages.length === 0 ? nothing : html`<section aria-labelledby="thread">
<h2 id="thread">${text("thread.owner")}</h2>
<p>${text(view.thread.isAsked ? "thread.owner.asked" : "thread.owner.nothingOpen")}</p>
${messageList(view.thread.messages, view.visitor.account)}
${alert(view.problem)}
${view.thread.takesAnswers ? form(view) : nothing}
</section>`

const form = ({ answer, id, problem, visitor }: ThreadView): Html =>
  html`<form method="post" action="${appPath(id)}/answer" novalidate>
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
      problem?.details ?? []
    )
  }
<button>${text("thread.answer.send")}</button>
</form>`
