import { differences } from "../../core/clients/life/ChangeDiff.ts"
import type { Client, ClientChange } from "../../core/clients/records/Client.ts"
import type { ReviewedField } from "../../core/clients/records/ReviewedFields.ts"
import { breakable } from "../../foundation/web/BreakableText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { fieldLabels } from "./FieldLabels.ts"
import { logoImage } from "./LogoView.ts"

/** Table of what a change would remove and add, field by field. */
export const differenceTable = (client: Client, change: ClientChange): Html => {
  const rows = differences(client, change)
  const [isRemoved, isAdded] = [text("difference.removed"), text("difference.added")]
  return rows.length === 0 ? nothing : html`<div class="overflow-auto"><table aria-label="${text("difference")}">
<thead><tr><th scope="col">${
    text("difference.field")
  }</th><th scope="col">${isRemoved}</th><th scope="col">${isAdded}</th></tr></thead>
<tbody>
${
    rows.map(({ added, field, removed }) =>
      html`<tr><th scope="row">${fieldLabels[field]}</th><td class="free" data-label="${isRemoved}">${
        list(field, removed, "del")
      }</td><td class="free" data-label="${isAdded}">${list(field, added, "ins")}</td></tr>`
    )
  }
</tbody></table></div>`
}

const list = (field: ReviewedField, values: ReadonlyArray<string>, mark: "ins" | "del"): Html => {
  if (values.length === 0) return html`<span class="muted">–</span>`
  const shown = (value: string) =>
    field === "logoDigest" ? logoImage(value, text("difference.picture")) : breakable(value)
  return html`${
    values.map((value) => mark === "ins" ? html`<ins>${shown(value)}</ins><br>` : html`<del>${shown(value)}</del><br>`)
  }`
}
