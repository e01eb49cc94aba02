import { type RefusalPage, type RefusalWish } from "../../core/clients/life/RefusalCauses.ts"
import { RefusalEndpoint, type RefusedRequest } from "../../core/clients/life/RefusedRequest.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { codeBlock } from "../../foundation/web/CopyField.ts"
import { curlRequest } from "../../foundation/web/CurlCommand.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { english, link, text } from "../../foundation/web/Message.ts"
import { appTabPath } from "../parts/Paths.ts"
import { referenceIn, referenceSearch } from "../parts/ReferenceSearch.ts"
import type { Visitor } from "../session/PageSession.ts"

/** Refused requests as the page of an app shows them. */
export interface RefusedRequestsView {
  readonly wish: RefusalWish
  readonly found: RefusalPage
  /** Errors of which some are kept, for the choice of one. */
  readonly errors: ReadonlySet<string>
  /** Address of the API. */
  readonly baseUrl: string
}

/** What the owner looks for on the page: a few causes, which fit on a screen. */
export const refusalWishIn = (query: Parameters): RefusalWish => ({
  reference: referenceIn(query),
  error: query.get("error"),
  endpoint: RefusalEndpoint.literals.find((one) => one === query.get("endpoint")),
  cursor: query.get("cursor"),
  limit: mostShown
})

/** Fewer than two screens of a phone, with all that is above and below. */
const mostShown = 5

/** Latest refused requests of the app and their causes, for its owner. */
export const refusedRequestsSection = ({ account }: Visitor, appId: string, view: RefusedRequestsView): Html => {
  const { errors, found: { causes, nextCursor }, wish } = view
  const path = appTabPath(appId, "activity")
  const latest = link(path)
  return html`<section aria-labelledby="refused">
<h2 id="refused">${text("refusals")}</h2>
${
    errors.size === 0 && causes.length === 0 && !isNarrowed(wish)
      ? html`<p class="muted">${text("refusals.none")}</p>`
      : html`<p class="muted">${text("refusals.about")}</p>
${referenceSearch(path, wish.reference, filters(view))}
${
        wish.reference !== undefined
          ? html`<p>${
            text(causes.length === 0 ? "refusals.search.nothing" : "refusals.search.found", {
              reference: html`<code>${wish.reference}</code>`,
              link: latest
            })
          }</p>`
          : causes.length === 0
          ? html`<p>${text("refusals.filter.nothing", { link: latest })}</p>`
          : nothing
      }
${causes.length === 0 ? nothing : table(account, causes)}
${
        nextCursor === null
          ? nothing
          : html`<p><a href="${path}?${queryOf({ ...wish, cursor: nextCursor })}" rel="next">${
            text("refusals.older")
          }</a></p>`
      }
${asJson(appId, view)}`
  }
</section>`
}

const isNarrowed = ({ endpoint, error, reference }: RefusalWish) => (endpoint ?? error ?? reference) !== undefined

const filters = ({ errors, wish }: RefusedRequestsView): Html => {
  const choice = (
    name: "endpoint" | "error",
    label: Phrase,
    any: Phrase,
    options: ReadonlyArray<readonly [string, Phrase]>
  ) =>
    html`<select name="${name}" aria-label="${label}">
<option value="">${any}</option>${
      options.map(([value, label]) =>
        html`<option value="${value}"${wish[name] === value ? html` selected` : nothing}>${label}</option>`
      )
    }</select>\n`
  return html`${
    choice(
      "error",
      text("refusals.error"),
      text("refusals.anyError"),
      [...new Set([...errors, ...[wish.error ?? []].flat()])].toSorted().map((error) => [error, error])
    )
  }${
    choice(
      "endpoint",
      text("refusals.endpoint"),
      text("refusals.anyEndpoint"),
      RefusalEndpoint.literals.map((one) => [one, text(`refusals.endpoint.${one}`)])
    )
  }`
}

/** The way to the same list for programs. */
const asJson = (appId: string, { baseUrl, wish }: RefusedRequestsView): Html => {
  const query = queryOf({ ...wish, cursor: undefined })
  const url = `${baseUrl}/v2/oauth-clients/${encodeURIComponent(appId)}/refused-requests${query && `?${query}`}`
  const headers = { authorization: "Bearer API_KEY" }
  return html`<details>
<summary>${text("refusals.json")}</summary>
<p>${
    text("refusals.json.about", {
      key: html`<code>API_KEY</code>`,
      keys: link("/account#api-keys"),
      link: link("/docs#oauthClients.listRefused")
    })
  }</p>
${codeBlock(text("refusals.json.request"), curlRequest({ method: "GET", url, headers }))}
</details>`
}

const queryOf = ({ cursor, endpoint, error, reference }: RefusalWish): string =>
  new URLSearchParams(
    Object.entries({ reference, error, endpoint, cursor }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]]
    )
  ).toString()

const table = (account: Visitor["account"], refusedRequests: ReadonlyArray<RefusedRequest>): Html =>
  html`<div class="overflow-auto"><table aria-labelledby="refused">
<thead><tr><th scope="col">${text("refusals.when")}</th><th scope="col">${text("refusals.error")}</th><th scope="col">${
    text("refusals.cause")
  }</th><th scope="col">${text("refusals.reference")}</th></tr></thead>
<tbody>
${
    refusedRequests.map(({ at, endpoint, error, reason, reference, times }) =>
      html`<tr>
<td class="muted">${dateText(at, account)}</td>
<td data-label="${text("refusals.error")}"><code>${error}</code> <small class="muted">${
        text(`refusals.endpoint.${endpoint}`)
      }</small></td>
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
