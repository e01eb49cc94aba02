import type { Judgement } from "../../domain/catalogue/Judgement.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { reachText, riskText, summaryText, topicText, verbsText } from "../parts/RiskText.ts"

/** What an app may do, in two short lines: the riskiest of it, and how far that reaches. */
export const accessSummary = (judgement: Judgement): Html => {
  const { areas: [first, ...others], risk } = judgement
  // An area may change what is the user's own, and only show what is everyone's: the worse part comes first.
  const { reach, verbs } = first?.parts[0] ?? judgement
  return html`<span>${
    first === undefined
      ? summaryText(judgement)
      : text("connections.may.first", { area: topicText(first), verbs: verbsText(verbs), others: others.length })
  }</span><small>${
    text("connections.may.where", {
      reach: reachText(reach),
      risk: html`<span class="risk${risk}">${riskText(risk)}</span>`
    })
  }</small>`
}
