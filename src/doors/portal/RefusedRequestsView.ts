import type { RefusedRequest } from "../../core/clients/life/RefusedRequest.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { english, link, text } from "../../foundation/web/Message.ts"
import { appTabPath } from "../parts/Paths.ts"
import { referenceSearch } from "../parts/ReferenceSearch.ts"
import type { Visitor } from "../session/PageSession.ts"

/** Refused requests as the page of an app shows them. */
export interface RefusedRequestsView {
  /** Those of the reference, if one is looked for. */
  readonly found: ReadonlyArray<RefusedRequest>
  readonly reference?: string | undefined
}

/** Latest refused requests of the app and their causes, for its owner. */
export const refusedRequestsSection = (
  { account }: Visitor,
  appId: string,
  { found, reference }: RefusedRequestsView
): Html =>
  html`<section aria-labelledby="refused">
<h2 id="refused">${text("refusals")}</h2>
${
    found.length === 0 && reference === undefined
      ? html`<p class="muted">${text("refusals.none")}</p>`
      : html`<p class="muted">${text("refusals.about")}</p>
${referenceSearch(appTabPath(appId, "activity"), reference)}
${
        reference === undefined
          ? nothing
          : html`<p>${
            text(found.length === 0 ? "refusals.search.nothing" : "refusals.search.found", {
              reference: html`<code>${reference}</code>`,
              link: link(appTabPath(appId, "activity"))
            })
          }</p>`
      }
${found.length === 0 ? nothing : table(account, found)}`
  }
</section>`

const table = (account: Visitor["account"], refusedRequests: ReadonlyArray<RefusedRequest>): Html =>
  html`<div class="overflow-auto"><table aria-labelledby="refused">
<thead><tr><th scope="col">${text("refusals.when")}</th><th scope="col">${
    text("refusals.endpoint")
  }</th><th scope="col">${text("refusals.error")}</th><th scope="col">${text("refusals.cause")}</th><th scope="col">${
    text("refusals.reference")
  }</th></tr></thead>
<tbody>
${
    refusedRequests.map(({ at, endpoint, error, reason, reference, times }) =>
      html`<tr>
<td class="muted">${dateText(at, account)}</td>
<td data-label="${text("refusals.endpoint")}">${text(`refusals.endpoint.${endpoint}`)}</td>
<td data-label="${text("refusals.error")}"><code>${error}</code></td>
<td class="free" data-label="${text("refusals.cause")}">${english(reason)}${
        times > 1 ? html` <span class="muted">${text("refusals.times", { times })}</span>` : nothing
      }</td>
<td class="free" data-label="${text("refusals.reference")}">${
        reference === null ? "–" : html`<code>${reference}</code>`
      }</td>
</tr>`
    )
  }
</tbody></table></div>`
