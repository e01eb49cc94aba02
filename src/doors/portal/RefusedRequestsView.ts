import type { RefusedRequest } from "../../core/clients/life/RefusedRequests.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Visitor } from "../session/PageSession.ts"

/** Latest refused requests of the app and their causes, for its owner. */
export const refusedRequestsSection = ({ account }: Visitor, refusedRequests: ReadonlyArray<RefusedRequest>): Html =>
  html`<section aria-labelledby="refused">
<h2 id="refused">Refused requests</h2>
${
    refusedRequests.length === 0
      ? html`<p class="muted">None lately. When the server refuses a call of this app, the cause is shown here.</p>`
      : html`<p class="muted">The last 50 calls that the server refused, and why. Anybody may send calls in the name of an app, so not all of them need be yours.</p>
<div class="overflow-auto"><table>
<thead><tr><th scope="col">When</th><th scope="col">Call</th><th scope="col">Error</th><th scope="col">Why</th></tr></thead>
<tbody>
${
        refusedRequests.map(({ at, endpoint, error, reason, times }) =>
          html`<tr>
<td class="muted">${dateText(at, account)}</td>
<td data-label="Call">${endpoint}</td>
<td data-label="Error"><code>${error}</code></td>
<td class="free">${reason}${times > 1 ? html` <span class="muted">(${times} times)</span>` : nothing}</td>
</tr>`
        )
      }
</tbody></table></div>`
  }
</section>`
