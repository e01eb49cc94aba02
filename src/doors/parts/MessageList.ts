import type { OwnerMessage, ReviewMessage } from "../../core/clients/review/ReviewMessage.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"

/** What was written about an app in review, the oldest first: with the names of its authors only for reviewers. */
export const messageList = (
  messages: ReadonlyArray<OwnerMessage | ReviewMessage>,
  reader: TimePreferences,
  authors?: ReadonlyMap<string, Phrase>
): Html =>
  messages.length === 0 ? nothing : html`<ul class="messages">
${
    messages.map((message) =>
      html`<li><p><strong>${text(`thread.kind.${message.kind}`)}</strong> <span class="muted">${by(message, authors)}${
        dateText(message.at, reader)
      }</span></p><blockquote class="lines">${message.text}</blockquote></li>\n`
    )
  }</ul>`

const by = (message: OwnerMessage | ReviewMessage, authors: ReadonlyMap<string, Phrase> | undefined): Html =>
  authors === undefined || !("author" in message)
    ? nothing
    : html`${authors.get(message.author ?? "") ?? message.author ?? text("thread.gone")}, `
