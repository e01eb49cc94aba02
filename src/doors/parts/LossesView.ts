import { DateTime } from "effect"
import type { Usage } from "../../core/clients/life/LegacyUsage.ts"
import { isTooEarly, type Loss, lossesOf } from "../../core/clients/life/ScopeLosses.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { age, durationText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { choiceText } from "../../foundation/web/ListText.ts"
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

export const lossText = (catalogue: Catalogue, loss: Loss): Html => {
  switch (loss._tag) {
    case "Unscoped":
      return text("losses.unscoped", { requests: loss.requests, days: loss.days })
    case "Unknown":
      return text("losses.unknown", { word: loss.word, requests: loss.requests })
    case "Missing": {
      const [first = ""] = loss.scopes
      const retirement = retirementText(catalogue, first)
      return html`${
        text("losses.missing", {
          scopes: choiceText(loss.scopes.map((scope) => html`<code>${scope}</code>`)),
          number: loss.scopes.length,
          requests: loss.requests,
          calls: loss.calls
        })
      }${retirement === undefined ? nothing : html` ${retirement}`}`
    }
  }
}
