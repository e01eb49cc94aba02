import { type Html, html, nothing, type Phrase } from "./Html.ts"
import { text } from "./Message.ts"

type NoticeKind = keyof typeof kinds

/** A box that stands out, with the icon and the word of its kind: a colour alone says nothing to many readers. */
export const notice = (kind: NoticeKind, content: Html, attributes: Html = kinds[kind].attributes): Html => {
  const { path, word } = kinds[kind]
  return html`<div class="notice ${kind}"${attributes}><p class="kind"><svg class="icon" aria-hidden="true" viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${path}</svg> ${word}</p>${content}</div>`
}

/** A sentence about the act that led to the page. */
export const noticeOf = (sentence: Phrase | undefined): Html =>
  sentence === undefined ? nothing : notice("done", html`<p>${sentence}</p>`)

/** Has the focus when the page opens, so that it is seen and read out. */
export const focused = html` tabindex="-1" autofocus`

const isNote = html` role="note"`
const circle = html`<circle cx="12" cy="12" r="9"/>`

const kinds = {
  done: {
    word: text("notice.done"),
    attributes: html` role="status"${focused}`,
    path: html`${circle}<path d="m8 12 3 3 5-6"/>`
  },
  error: {
    word: text("notice.error"),
    attributes: html` role="alert"${focused}`,
    path: html`${circle}<path d="m9 9 6 6m0-6-6 6"/>`
  },
  note: { word: text("notice.note"), attributes: isNote, path: html`${circle}<path d="M12 11v5m0-8.5v.5"/>` },
  warning: {
    word: text("notice.warning"),
    attributes: isNote,
    path: html`<path d="M12 3 2 20.5h20z"/><path d="M12 10v5m0 2.5v.5"/>`
  }
} as const
