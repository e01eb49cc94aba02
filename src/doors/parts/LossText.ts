import type { Loss } from "../../core/clients/life/Loss.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { text } from "../../foundation/web/Message.ts"
import { retirementText } from "./RetirementText.ts"

/** A loss that scopes would cause in a sentence for people, with what became of a scope. */
export const lossText = (catalogue: Catalogue, loss: Loss): Html => {
  switch (loss.kind) {
    case "urls":
      return text("loss.urls", { requests: loss.requests, days: loss.days })
    case "word":
      return text("loss.word", { word: code(loss.word), requests: loss.requests })
    case "scopes": {
      const { calls, requests, scopes } = loss
      const missing = text("loss.scopes", { scopes: listText(scopes.map(code)), count: scopes.length, calls, requests })
      return html`${missing} ${retirementText(catalogue, scopes[0])}`
    }
  }
}

const code = (name: string): Html => html`<code>${name}</code>`
