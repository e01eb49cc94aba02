import type { Parameters } from "../../domain/Parameters.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"

/** Reference that somebody looks for: the last word of what they copied, which may begin with “Reference:”. */
export const referenceIn = (query: Parameters): string | undefined => query.get("reference")?.trim().split(/\s+/).at(-1)

/** Form that looks for a reference on the page at this address, and for what other fields say. */
export const referenceSearch = (action: string, reference: string | undefined, others = nothing): Html =>
  html`<search><form method="get" action="${action}" class="finder">
<input type="search" name="reference" value="${reference ?? ""}" maxlength="200" aria-label="${
    text("refusals.search.label")
  }" placeholder="${text("refusals.search.hint")}">
${others}<button class="secondary">${text("refusals.search")}</button>
</form></search>`
