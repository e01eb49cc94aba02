import { type Html, html } from "./Html.ts"

/** A value that people carry elsewhere; a script adds the button, without it one click marks the whole. */
export const copyField = (what: string, value: string): Html =>
  html`<span class="copyable" data-copy="${what}"><code class="secret">${value}</code></span>`

/** Lines that people paste elsewhere. */
export const codeBlock = (what: string, text: string): Html =>
  html`<div class="code" data-copy="${what}"><pre tabindex="0" aria-label="${what}"><code>${text}</code></pre></div>`
