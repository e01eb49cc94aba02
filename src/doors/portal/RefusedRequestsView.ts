import type { RefusedRequest } from "../../core/clients/life/RefusedRequests.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { english, text } from "../../foundation/web/Message.ts"
import type { Visitor } from "../session/PageSession.ts"

/** Latest refused requests of the app and their causes, for its owner. */
export const refusedRequestsSection = ({ account }: Visitor, refusedRequests: ReadonlyArray<RefusedRequest>): Html =>
  html`<section aria-labelledby="refused">
<h2 id="refused">${text("refusals")}</h2>
${
    refusedRequests.length === 0
      ? html`<p class="muted">${text("refusals.none")}</p>`
      : html`<p class="muted">${text("refusals.about")}</p>
<div class="overflow-auto"><table aria-labelledby="refused">
<thead><tr><th scope="col">${text("refusals.when")}</th><th scope="col">${
        text("refusals.endpoint")
      }</th><th scope="col">${text("refusals.error")}</th><th scope="col">${text("refusals.cause")}</th></tr></thead>
<tbody>
${
        refusedRequests.map(({ at, endpoint, error, reason, times }) =>
          html`<tr>
<td class="muted">${dateText(at, account)}</td>
<td data-label="${text("refusals.endpoint")}">${text(`refusals.endpoint.${endpoint}`)}</td>
<td data-label="${text("refusals.error")}"><code>${error}</code></td>
<td class="free">${english(reason)}${
            times > 1 ? html` <span class="muted">${text("refusals.times", { times })}</span>` : nothing
          }</td>
</tr>`
        )
      }
</tbody></table></div>`
  }
</section>`
