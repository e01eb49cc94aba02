import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { Lacking } from "../../core/consent/Lacking.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { copyField } from "../../foundation/web/CopyField.ts"
import { forReader, type Html, html, nothing } from "../../foundation/web/Html.ts"
import { code, link, text } from "../../foundation/web/Message.ts"
import { appTabPath, lackingPath, wishesPath } from "../parts/Paths.ts"

interface LackingView {
  readonly catalogue: Catalogue
  readonly client: ManagedClient
  readonly authUrl: string
  readonly found: Lacking
  /** There are resources beside the API, for which nothing is counted. */
  readonly hasResources: boolean
}

/** Line of the tab of scopes, if some users of the app lack any of them. */
export const lackingLine = ({ id }: ManagedClient, { isComplete, lacking }: Lacking): Html =>
  lacking === 0 ?
    nothing :
    html`<p>${text(isComplete ? "lacking.line" : "lacking.lineAtLeast", { lacking, link: link(lackingPath(id)) })}</p>`

/** How many users have not given what the app may ask for, scope by scope, and the link to send to them. */
export const lackingBody = (view: LackingView): Html => {
  const { client, found } = view
  const { isComplete, lacking, scopes, users } = found
  return html`<section aria-labelledby="lacking">
<h2 id="lacking">${text("lacking")}</h2>
<p>${
    client.status !== "approved" || client.legacy
      ? text("lacking.notAsking")
      : lacking === 0
      ? text("lacking.none", { users })
      : isComplete
      ? text("lacking.count", { users, lacking })
      : text("lacking.countAtLeast", { lacking })
  }</p>
${view.hasResources ? html`<p class="muted">${text("lacking.api")}</p>` : nothing}
${scopes.length === 0 ? nothing : table(view)}
</section>
${lacking === 0 ? nothing : sending(view)}`
}

const table = ({ catalogue, found: { scopes } }: LackingView): Html =>
  html`<p class="muted">${text("lacking.about")}</p>
<div class="overflow-auto"><table aria-labelledby="lacking">
<thead><tr><th scope="col">${text("lacking.scope")}</th><th scope="col">${text("lacking.lack")}</th><th scope="col">${
    text("lacking.declined")
  }</th></tr></thead>
<tbody>
${
    scopes.map(({ declined, isOptional, lacking, scope }) =>
      forReader(({ language }) =>
        html`<tr>
<th scope="row">${catalogue.describe(scope, language.tag).title} <code>${scope}</code>${
          isOptional ? html` <span class="badge plain">${text("lacking.optional")}</span>` : nothing
        }</th>
<td data-label="${text("lacking.lack")}">${language.number(lacking)}</td>
<td data-label="${text("lacking.declined")}">${isOptional ? language.number(declined) : "–"}</td>
</tr>`
      )
    )
  }
</tbody></table></div>
${
    scopes.some(({ declined }) => declined > 0)
      ? html`<p class="muted">${text("lacking.declined.about", { prompt: html`<code>prompt=consent</code>` })}</p>`
      : nothing
  }`

const sending = ({ authUrl, client }: LackingView): Html =>
  html`<section aria-labelledby="link">
<h2 id="link">${text("lacking.link")}</h2>
<p>${copyField(text("lacking.link.field"), `${authUrl}${wishesPath(client.id)}`)}</p>
<p>${
    URL.canParse(client.website)
      ? text("lacking.link.about")
      : text("lacking.link.noWebsite", { link: link(appTabPath(client.id, "settings")) })
  }</p>
<p class="muted">${text("lacking.link.why", { state: "state", challenge: "code_challenge", code })}</p>
<p class="muted">${text("lacking.link.own")}</p>
</section>`
