import { mayBeLeftOut } from "../../core/clients/life/LeftOut.ts"
import type { FirstApproval } from "../../core/clients/review/Decision.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { faultText } from "../../foundation/web/FaultText.ts"
import { forReader, type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { byKey } from "../parts/KeysView.ts"
import type { LateDecisionView } from "./LateDecisionView.ts"

/** Name of the box that leaves a scope out of an approval; a form has each name once. */
export const leftOutField = (scope: string): string => `without:${scope}`

interface LeftOutView extends LateDecisionView {
  readonly catalogue: Catalogue
  /** First of two approvals of what waits. */
  readonly first: FirstApproval | undefined
}

/** Boxes by which a reviewer approves an app, or a change, without some of its scopes. */
export const leftOutBoxes = ({ catalogue, client, failed, first }: LeftOutView): Html => {
  const scopes = mayBeLeftOut(client)
  if (scopes.length === 0) return nothing
  const faults = (failed?.action === "approve" ? failed.problem.details ?? [] : [])
    .filter(({ path }) => path.startsWith("without"))
  const isOpen = faults.length > 0 || (first?.without.length ?? 0) > 0
  return html`<details${isOpen ? html` open` : nothing}>
<summary${byKey("n")}>${text("review.approve.without")}</summary>
<fieldset><legend>${text("review.approve.without.label")}</legend>
<p class="muted">${text("review.approve.without.about")}</p>
${faults.map((fault) => html`<p class="error">${faultText(text("review.approve.without.label"), fault)}</p>\n`)}${
    scopes.map((scope) =>
      html`<label class="choice"><input type="checkbox" name="${leftOutField(scope)}" value="on"${
        first?.without.includes(scope) === true ? html` checked` : nothing
      }><span>${
        forReader(({ language: { tag } }) => html`${catalogue.describe(scope, tag).title}`)
      } <code>${scope}</code></span></label>\n`
    )
  }</fieldset>
</details>
`
}
