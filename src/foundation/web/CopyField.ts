import { type Html, html } from "./Html.ts"

/** A value to copy: a script adds a button for it; without the script, one click selects the whole value. */
export const copyField = (what: string, value: string): Html =>
  html`<span class="copyable" data-copy="${what}"><code class="secret">${value}</code></span>`

/** Lines of code to copy. */
export const codeBlock = (what: string, text: string): Html =>
  html`<div class="code" data-copy="${what}"><pre tabindex="0" aria-label="${what}"><code>${text}</code></pre></div>`
