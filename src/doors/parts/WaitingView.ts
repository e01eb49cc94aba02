import { Duration, Option } from "effect"
import type { Waiting } from "../../core/clients/review/Waiting.ts"
import { durationText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"

/** Place in the queue of an app that waits, and how long that usually takes. */
export const waitingView = (waiting: Option.Option<Waiting>): Html =>
  Option.match(waiting, {
    onNone: () => nothing,
    onSome: ({ place, usualSeconds }) =>
      html`<p>${text("waiting.place", { place })}${
        usualSeconds === null ? nothing : html` ${usualReviewText(Duration.seconds(usualSeconds))}`
      }</p>`
  })

/** Says the time in whole hours, and from two days on in whole days: never less than it was. */
export const usualReviewText = (time: Duration.Duration): Html => {
  const hours = Math.max(1, Math.ceil(Duration.toHours(time)))
  const rounded = hours < 48 ? Duration.hours(hours) : Duration.days(Math.ceil(hours / 24))
  return text("waiting.usual", { time: durationText(rounded) })
}
