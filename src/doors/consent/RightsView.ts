import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Right } from "../../domain/catalogue/JudgedArea.ts"
import { type Judgement } from "../../domain/catalogue/Judgement.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { inQuotes } from "../../domain/Text.ts"
import { forReader, type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { text } from "../../foundation/web/Message.ts"
import { reachText, topicText, verbsText } from "../parts/RiskText.ts"
import { accessIcon } from "../parts/ScopeList.ts"
import { scopeField } from "./ChoiceFields.ts"

/** What the user may untick, and how it is at first. */
interface Offer {
  readonly scopes: ReadonlyArray<ScopeName>
  /** What is left out, because the user can't give it. */
  readonly withheld: ReadonlyArray<ScopeName>
  isTicked(scope: ScopeName): boolean
}

interface RightsOptions {
  readonly catalogue: Catalogue
  readonly judgement: Judgement
  readonly offer: Offer
  /** Marks what is new to the user. */
  mark(scope: ScopeName): Html
}

/**
 * What the app wants, by area, the riskiest first. A row tells what it is about, how far it reaches and whether it
 * changes anything; its details have the sentences of the catalogue, and a box for what the user may decline. Rows with
 * boxes are open, and so are the few of a short list.
 */
export const rightsList = (options: RightsOptions): Html => {
  const { catalogue, judgement: { areas }, offer } = options
  const rights = areas.flatMap(({ parts }) => parts.flatMap(({ rights }) => rights))
  const nested = nestedIn(catalogue, rights.map(({ scope }) => scope), offer.scopes)
  if (areas.length === 0) return nothing
  return html`<div class="rights">${
    areas.map((area) => {
      const here = area.parts.flatMap(({ rights }) => rights)
      const hasChoice = here.some(({ scope }) =>
        [...offer.scopes, ...offer.withheld].includes(scope) || nested.has(scope)
      )
      const kind = area.verbs.changes ? "writes" : "reads"
      return html`<details class="right ${kind} risk-${area.risk}"${hasChoice ? html` open` : nothing}>
<summary>${accessIcon(kind)} <span class="about"><strong>${topicText(area)}</strong> <span class="muted">${
        text("consent.row", { reach: reachText(area.reach), verbs: verbsText(area.verbs) })
      }</span>${
        here.map(({ scope }) => options.mark(scope)).find((mark) => mark !== nothing) ?? nothing
      }</span></summary>
<ul>${here.map((right) => rightItem(options, right, nested.get(right.scope) ?? []))}</ul>
</details>`
    })
  }</div>`
}

/** Scopes by themselves, for those that the user gave before. */
export const rightItems = (catalogue: Catalogue, scopes: ReadonlyArray<ScopeName>, offer: Offer): Html =>
  html`<ul>${scopes.map((scope) => rightItem({ catalogue, offer }, { scope, comesWith: [] }, []))}</ul>`

const rightItem = (
  { catalogue, offer }: Pick<RightsOptions, "catalogue" | "offer">,
  { comesWith, scope }: Pick<Right, "scope" | "comesWith">,
  inside: ReadonlyArray<ScopeName>
): Html =>
  forReader(({ language: { tag } }) => {
    const { covers, title } = catalogue.describe(scope, tag)
    const titleOf = (one: ScopeName) => inQuotes(catalogue.describe(one, tag).title)
    const notes: ReadonlyArray<Phrase> = [
      catalogue.isScope(scope) ? covers : text("scopes.unknown"),
      ...(comesWith.length === 0 ? [] : [text("scopes.comesWith", { scopes: listText(comesWith.map(titleOf)) })])
    ]
    const words = html`<strong>${title}</strong> <span class="muted">${
      notes.map((note, at) => at === 0 ? note : html` ${note}`)
    }</span>`
    return html`<li>${tickable(offer, scope, words)}${
      inside.map((one) => tickable(offer, one, html`<span>${text("consent.alone", { right: titleOf(one) })}</span>`))
    }</li>`
  })

const tickable = ({ isTicked, scopes, withheld }: Offer, scope: ScopeName, words: Html): Html =>
  withheld.includes(scope)
    ? html`${words} <span class="badge plain">${text("consent.withheld.mark")}</span>`
    : scopes.includes(scope)
    ? html`<label class="choice"><input type="checkbox" name="${scopeField(scope)}"${
      isTicked(scope) ? html` checked` : nothing
    }><span>${words}</span></label>`
    : words

/**
 * Scopes that may be declined and have no row of their own, because one that is in a row includes them. Without them
 * that one is declined, too.
 */
const nestedIn = (
  { covers }: Catalogue,
  shown: ReadonlyArray<ScopeName>,
  offered: ReadonlyArray<ScopeName>
): ReadonlyMap<ScopeName, ReadonlyArray<ScopeName>> => {
  const hidden = offered.filter((scope) => !shown.includes(scope))
  return Map.groupBy(hidden, (scope) => shown.find((one) => covers([one], scope)) ?? "")
}
