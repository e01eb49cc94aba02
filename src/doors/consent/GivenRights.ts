import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { JudgedArea } from "../../domain/catalogue/JudgedArea.ts"
import type { Judgement } from "../../domain/catalogue/Judgement.ts"
import type { GrantedScopes, ScopeName } from "../../domain/scopes/Scope.ts"
import { forReader, type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { dangerText, reachText, riskText, topicText, verbsText } from "../parts/RiskText.ts"
import { scopeList } from "../parts/ScopeList.ts"

/**
 * What an app may do, area by area, the riskiest first, and what it did with each right; above all the worst of it if
 * it is of the highest risk.
 */
export const rightsView = (
  catalogue: Catalogue,
  scopes: GrantedScopes,
  { areas, danger, everything }: Judgement,
  uses: ReadonlyMap<ScopeName, Html> = new Map()
): Html =>
  html`${danger?.risk === 3 ? notice("warning", html`<p>${dangerText(catalogue, danger)}</p>`) : nothing}
${
    everything
      ? html`${scopeList(catalogue, scopes, () => nothing)}${usedView(catalogue, uses)}`
      : areas.map((area) => areaView(catalogue, area, uses))
  }`

/** What an app used of everything. */
const usedView = ({ describe }: Catalogue, uses: ReadonlyMap<ScopeName, Html>): Html =>
  uses.size === 0
    ? nothing
    : html`<ul>${
      [...uses].map(([scope, use]) =>
        html`<li>${
          text("connections.right", { right: forReader(({ language: { tag } }) => describe(scope, tag).title), use })
        }</li>`
      )
    }</ul>`

const areaView = ({ describe }: Catalogue, area: JudgedArea, uses: ReadonlyMap<ScopeName, Html>): Html =>
  html`<div class="access${area.verbs.changes ? " writes" : ""}">
<h3>${topicText(area)}</h3>
${
    area.parts.map(({ reach, rights, risk, verbs }) =>
      html`<p class="muted">${
        text("connection.area", {
          verbs: verbsText(verbs),
          reach: reachText(reach),
          risk: html`<span class="risk${risk}">${riskText(risk)}</span>`
        })
      }</p>
<ul>${
        rights.map(({ scope }) =>
          forReader(({ language: { tag } }) => {
            const { covers, title } = describe(scope, tag)
            return html`<li><strong>${title}</strong> <small class="use">${
              uses.get(scope)
            }</small> <span class="muted">${covers}</span></li>`
          })
        )
      }</ul>`
    )
  }
</div>`
