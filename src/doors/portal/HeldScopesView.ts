import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { JudgedArea } from "../../domain/catalogue/JudgedArea.ts"
import { judge } from "../../domain/catalogue/Judgement.ts"
import { forReader, type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { dangerText, reachText, riskText, summaryText, topicText, verbsText } from "../parts/RiskText.ts"

/** What an app may do, as users and reviewers are told: by area, the riskiest first, with the worst as a sentence. */
export const heldScopes = (catalogue: Catalogue, client: ManagedClient): Html => {
  const judgement = judge(catalogue, client.legacy ? null : client.scopes)
  const { areas, danger, risk } = judgement
  return html`<section aria-labelledby="held">
<h2 id="held">${text("appScopes.held")}</h2>
<p>${summaryText(judgement)}</p>
${
    danger === undefined || risk < 2
      ? nothing
      : html`<p class="risk${risk}">${dangerText(catalogue, danger)}</p>`
  }
${
    areas.length === 0
      ? nothing
      : html`<ul class="rows">${areas.map((area) => row(catalogue, client, area))}</ul>`
  }
</section>`
}

const row = (catalogue: Catalogue, { optionalScopes }: ManagedClient, area: JudgedArea): Html =>
  html`<li><div><strong>${topicText(area)}</strong>${
    area.parts.map(({ reach, rights, verbs }) =>
      html`<small class="muted">${
        text("appScopes.part", { reach: reachText(reach), verbs: verbsText(verbs) })
      }</small>${
        rights.map(({ comesWith, scope }) =>
          html`<small>${
            forReader(({ language }) => catalogue.describe(scope, language.tag).title)
          } <code>${scope}</code>${
            comesWith.length > 0
              ? html` <span class="muted">${text("appScopes.included")}</span>`
              : optionalScopes.includes(scope)
              ? html` <span class="muted">${text("appScopes.optional")}</span>`
              : nothing
          }</small>`
        )
      }`
    )
  }</div><p class="risk${area.risk}">${riskText(area.risk)}</p></li>\n`
