import { csrfField } from "./FormFields.ts"
import { type Html, html } from "./Html.ts"
import type { Viewer } from "./Layout.ts"

export interface Confirmation {
  readonly question: string
  /** The access that would end, and the people whom that affects. */
  readonly consequences: Html
  /** The path that the form is posted to. */
  readonly action: string
  /** Hidden fields of the form. */
  readonly hidden?: Readonly<Record<string, string>>
  /** The label of the button. */
  readonly button: string
  /** The target of the link "Keep it". */
  readonly back: string
  readonly viewer: Viewer
}

/** Asks for confirmation before something ends for good. */
export const confirmation = (
  { action, back, button, consequences, hidden = {}, question, viewer }: Confirmation
): Html =>
  html`<div class="focus">
<h1>${question}</h1>
${consequences}
<form method="post" class="actions" action="${action}">
${csrfField(viewer)}
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="danger">${button}</button>
<a href="${back}">Keep it</a>
</form>
</div>`
