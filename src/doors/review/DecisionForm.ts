import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { formNotSent } from "../../foundation/web/RestoredForm.ts"
import { reviewPath } from "../parts/Paths.ts"
import type { LateDecisionView } from "./LateDecisionView.ts"

/** Form of a decision about the version of the app that its reviewer sees. */
export const decisionForm = ({ client, failed, visitor }: LateDecisionView, action: string, fields: Html): Html => {
  // A form that comes back is about what its reviewer has seen; one that was refused is about what the page says now.
  const isBack = failed?.action === action && failed.problem === formNotSent
  return html`<form method="post" action="${reviewPath(client.id)}/${action}" novalidate>
${csrfField(visitor.viewer)}
<input type="hidden" name="version" value="${isBack ? failed.version : client.version}">
${fields}
</form>`
}
