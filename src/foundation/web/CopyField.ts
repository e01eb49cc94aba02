import { type Html, html, type Phrase } from "./Html.ts"
import { hidden, text } from "./Message.ts"

/** A value to copy, with its name; without the script, one click selects the whole value. */
export const copyField = (name: Phrase, value: string): Html =>
  html`<span class="copyable"><code class="secret">${value}</code>${copyButton(name)}</span>`

/** Lines of code to copy. */
export const codeBlock = (name: Phrase, code: string): Html =>
  html`<div class="code"><pre tabindex="0" aria-label="${name}"><code>${code}</code></pre>${copyButton(name)}</div>`

/** Shown by a script (`copy.js`), where the browser lets a page copy. */
const copyButton = (name: Phrase): Html =>
  html`<button type="button" class="copy" data-copied="${text("copy.done")}" hidden>${
    text("copy", { name, hidden })
  }</button>`
