import { csrfField } from "./FormFields.ts"
import { type Html, html } from "./Html.ts"
import type { Viewer } from "./Layout.ts"

export interface Confirmation {
  readonly question: string
  /** What would end, and whom that concerns. */
  readonly consequences: Html
  /** Where the form goes, and what it carries. */
  readonly action: string
  readonly hidden?: Readonly<Record<string, string>>
  /** The label of the button that does it. */
  readonly button: string
  /** Where who thinks better of it goes. */
  readonly back: string
  readonly viewer: Viewer
}

/** Asks before something ends that cannot be brought back. */
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
