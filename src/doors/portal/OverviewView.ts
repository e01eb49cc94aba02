import type { DateTime } from "effect"
import { alert } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { lastUse, refusedCount, userCount } from "./AppFiguresText.ts"
import { changeDetails, nextStepCard } from "./NextStepView.ts"
import type { OverviewState } from "./OverviewState.ts"
import { testStep } from "./TestStepView.ts"
import { pastThread } from "./ThreadView.ts"

export const overviewBody = (view: OverviewState): Html =>
  html`${alert(view.form === "answer" && !view.thread.takesAnswers ? view.problem : undefined)}
${nextStepCard(view)}
${changeDetails(view)}
${pastThread(view)}
${view.client.status === "approved" ? testStep(view) : nothing}
${figures(view)}`

const figures = ({ client, figures, visitor: { account } }: OverviewState): Html => {
  const figure = (name: Html, value: Html) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`
  const words = (phrase: Html) => html`<small>${phrase}</small>`
  const used = (at: DateTime.Utc | null) => words(lastUse(at, account))
  const { isComplete, lastUsedAt, secretUsedAt } = figures
  return html`<dl class="figures">
${figure(text("app.users"), isComplete ? userCount(figures) : words(userCount(figures)))}${
    figure(text("appFigures.lastUsed"), used(lastUsedAt))
  }${figure(text("appFigures.refused"), refusedCount(client.id, figures))}${
    client.kind === "public" ? nothing : figure(text("appFigures.secretUsed"), used(secretUsedAt))
  }</dl>`
}
