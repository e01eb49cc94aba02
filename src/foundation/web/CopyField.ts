import { type Html, html, type Phrase } from "./Html.ts"
import { hidden, text } from "./Message.ts"

/** A value to copy, with its name; without the script, one click selects the whole value. */
export const copyField = (name: Phrase, value: string): Html =>
  html`<span class="copyable"><code class="secret">${value}</code>${copyButton(text("copy", { name, hidden }))}</span>`

/** A value to copy without room: a button alone, whose words name it. Those who hear a page hear the value, too. */
export const copyOf = (words: Phrase, value: string): Html =>
  html`<span class="copyable"><code class="visually-hidden">${value}</code>${copyButton(words)}</span>`

/** Lines of code to copy. */
export const codeBlock = (name: Phrase, code: string): Html =>
  html`<div class="code"><pre tabindex="0" aria-label="${name}"><code>${code}</code></pre>${
    copyButton(text("copy", { name, hidden }))
  }</div>`

/** Shown by a script (`copy.js`), where the browser lets a page copy. */
const copyButton = (words: Phrase): Html =>
  html`<button type="button" class="copy" data-copied="${text("copy.done")}" hidden>${words}</button>`
