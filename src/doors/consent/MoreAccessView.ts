import type { Client } from "../../core/clients/records/Client.ts"
import type { Missing } from "../../core/consent/LackingUsers.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { judge } from "../../domain/catalogue/Judgement.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { brandName } from "../../foundation/web/BrandText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { appHead } from "../parts/AppHead.ts"
import { connectionPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"
import { rightsView } from "./GivenRights.ts"

interface MoreAccessView {
  readonly catalogue: Catalogue
  readonly visitor: Visitor
  readonly client: Client
  readonly missing: Missing
}

/**
 * What a connected app may ask its user for beyond what it has, and the way to its registered website. The app has to
 * begin the request itself (docs/decisions/authorization.md), so nothing can be allowed here.
 */
export const moreAccessPage = ({ catalogue, client, missing: { declined, lacking }, visitor }: MoreAccessView) => {
  const name = html`<bdi>${client.name}</bdi>`
  const rights = (scopes: ReadonlyArray<ScopeName>) =>
    rightsView(catalogue, scopes, judge(catalogue, scopes, visitor.account.organizationName))
  return page({
    title: text("moreAccess.title", { app: client.name }),
    viewer: visitor.viewer,
    body: html`<p><a href="${connectionPath(client.id)}">${text("moreAccess.back", { app: name })}</a></p>
${appHead(client, html`<h1 class="app-name">${text("moreAccess.title", { app: name })}</h1>`)}
${
      lacking.length === 0
        ? html`<p>${text("moreAccess.nothing", { app: name })}</p>`
        : html`<p>${text("moreAccess.what", { app: name })}</p>
<section aria-labelledby="new"><h2 id="new">${text("moreAccess.new")}</h2>
${rights(lacking)}
</section>
<section aria-labelledby="allow"><h2 id="allow">${text("moreAccess.how")}</h2>
${wayTo(client)}
</section>`
    }
${
      declined.length === 0
        ? nothing
        : html`<section aria-labelledby="declined"><h2 id="declined">${text("moreAccess.declined")}</h2>
<p class="muted">${text("moreAccess.declined.what", { app: name })}</p>
${rights(declined)}
</section>`
    }`
  })
}

/** Leads to the website that a reviewer has seen, and to no address of the request. An imported app may have none. */
const wayTo = ({ name, website }: Client): Html => {
  const app = html`<bdi>${name}</bdi>`
  const brand = html`<bdi>${brandName}</bdi>`
  return URL.canParse(website)
    ? html`<p>${text("moreAccess.asks", { app, brand })}</p>
<p><a class="button" href="${website}" rel="noopener noreferrer nofollow">${
      text("moreAccess.go", { host: new URL(website).host })
    }</a></p>`
    : html`<p>${text("moreAccess.open", { app, brand })}</p>`
}
