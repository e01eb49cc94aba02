import type { DateTime, Option } from "effect"
import type { AppFigures } from "../../core/clients/AppFigures.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { Thread } from "../../core/clients/review/ReviewDesk.ts"
import type { OwnerMessage } from "../../core/clients/review/ReviewMessage.ts"
import type { Waiting } from "../../core/clients/review/Waiting.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import type { Visitor } from "../session/PageSession.ts"
import { lastUse, refusedCount, userCount } from "./AppFiguresText.ts"
import type { Problem } from "./AppRoutes.ts"
import { changeDetails, nextStepCard } from "./NextStepView.ts"
import { pastThread } from "./ThreadView.ts"

export interface OverviewView {
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly thread: Thread<OwnerMessage>
  readonly waiting: Option.Option<Waiting>
  readonly figures: AppFigures
  /** Problem with a form of the page, and which form it was. */
  readonly problem?: Problem | undefined
  readonly form?: "review" | "answer"
  readonly answer?: string
}

export const overviewBody = (view: OverviewView): Html =>
  html`${nextStepCard(view)}
${changeDetails(view)}
${pastThread(view)}
${figures(view)}`

const figures = ({ client, figures, visitor: { account } }: OverviewView): Html => {
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
