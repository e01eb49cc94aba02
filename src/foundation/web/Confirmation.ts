import { csrfField } from "./FormFields.ts"
import { type Html, html, nothing, type Phrase } from "./Html.ts"
import type { Viewer } from "./Layout.ts"
import { text } from "./Message.ts"

interface Confirmation {
  readonly question: Phrase
  /** Access that would end, and the people whom that affects. */
  readonly consequences: Html
  /** Path that the form is posted to. */
  readonly action: string
  readonly hidden?: Readonly<Record<string, string>>
  readonly button: Phrase
  /** `primary` where nothing is taken away. */
  readonly tone?: "danger" | "primary"
  /** Target of the link that changes nothing. */
  readonly back: string
  readonly backLabel?: Phrase
  readonly viewer: Viewer
}

/** Asks for confirmation before something ends for good, or somebody gets much power. */
export const confirmation = (
  { action, back, backLabel = text("form.keep"), button, consequences, hidden = {}, question, tone = "danger", viewer }:
    Confirmation
): Html =>
  html`<div class="focus">
<h1>${question}</h1>
${consequences}
<form method="post" class="actions" action="${action}">
${csrfField(viewer)}
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button${tone === "danger" ? html` class="danger"` : nothing}>${button}</button>
<a href="${back}">${backLabel}</a>
</form>
</div>`
