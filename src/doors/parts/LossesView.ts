import { DateTime } from "effect"
import type { Usage } from "../../core/clients/life/LegacyUsage.ts"
import type { Loss } from "../../core/clients/life/Loss.ts"
import { isTooEarly, lossesOf } from "../../core/clients/life/ScopeLosses.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { age, durationText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { text } from "../../foundation/web/Message.ts"
import { retirementText } from "./RetirementView.ts"

/** Why a legacy app may lose something when these scopes are saved, and that its owner has to confirm it. */
export const lossTexts = (
  catalogue: Catalogue,
  usage: Usage,
  scopes: ReadonlyArray<string>,
  now: DateTime.Utc
): Html => {
  const losses = lossesOf(catalogue, usage, scopes.filter(catalogue.isScope))
  return html`${losses.map((loss) => html`${lossText(catalogue, loss)} `)}${
    losses.length === 0 ? nothing : html`${text("losses.refused")} `
  }${
    isTooEarly(usage, now)
      ? html`${
        text("losses.tooEarly", {
          observed: age(usage.observedSince, now),
          needed: durationText(DateTime.distance(usage.observedSince, usage.observedUntil))
        })
      } `
      : nothing
  }${text("losses.confirm")}`
}

/** A loss in a sentence for people, with what became of a scope. */
export const lossText = (catalogue: Catalogue, loss: Loss): Html => {
  switch (loss.kind) {
    case "urls":
      return text("losses.urls", { requests: loss.requests, days: loss.days })
    case "word":
      return text("losses.word", { word: code(loss.word), requests: loss.requests })
    case "calls":
      return text("losses.calls", { calls: loss.calls })
    case "scopes": {
      const { calls, requests, scopes } = loss
      const missing = text("losses.scopes", {
        scopes: listText(scopes.map(code)),
        count: scopes.length,
        calls,
        requests
      })
      const retirement = retirementText(catalogue, scopes[0])
      return html`${missing}${retirement === undefined ? nothing : html` ${retirement}`}`
    }
  }
}

const code = (name: string): Html => html`<code>${name}</code>`
