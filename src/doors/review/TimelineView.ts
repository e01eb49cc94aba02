import { DateTime, Order } from "effect"
import type { ReviewMessage } from "../../core/clients/review/ReviewMessage.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { actionLabels, entryDetails, type TrailEntry } from "../parts/AuditTrailView.ts"
import type { ThreadView } from "./ThreadView.ts"
import { inWords } from "./WideningInWords.ts"

interface TimelineView extends ThreadView {
  readonly catalogue: Catalogue
  readonly trail: ReadonlyArray<TrailEntry>
}

/** Whatever happened to an app and what was written about it, the newest first. */
export const timeline = (view: TimelineView): Html => {
  const { catalogue, thread, trail, visitor: { account } } = view
  const moments = [
    ...thread.messages.map((message) => ofMessage(message, view.people)),
    // The words of these are in the thread.
    ...trail.filter(({ action }) => !said.has(action)).map(inWords(catalogue)).map(ofEntry)
  ].toSorted((a, b) => newestFirst(a.at, b.at))
  return html`<section aria-labelledby="trail">
<h2 id="trail">${text("trail")}</h2>
<ol class="timeline">${
    moments.map(({ at, by, kind, more, what }) =>
      html`<li class="${kind}"><p>${text("timeline.moment", { by, what, at: dateText(at, account) })}</p>${more}</li>\n`
    )
  }</ol>
</section>`
}

interface Moment {
  readonly at: DateTime.Utc
  readonly kind: string
  readonly by: Phrase
  readonly what: Phrase
  readonly more: Html
}

const ofMessage = ({ at, author, kind, text: words }: ReviewMessage, people: ThreadView["people"]): Moment => ({
  at,
  kind,
  by: author === null ? text("thread.gone") : people.get(author) ?? author,
  what: html`<strong>${text(`thread.kind.${kind}`)}</strong>`,
  more: html`<blockquote class="lines">${words}</blockquote>`
})

const ofEntry = (entry: TrailEntry): Moment => ({
  at: entry.at,
  kind: "event",
  by: entry.by,
  what: actionLabels.get(entry.action) ?? entry.action,
  more: html`<div class="lines muted">${entryDetails(entry)}</div>`
})

const said: ReadonlySet<string> = new Set(["client.asked", "client.answered"])
const newestFirst = Order.flip(DateTime.Order)
