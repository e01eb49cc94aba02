import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { successors } from "../../domain/catalogue/Retirement.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { text } from "../../foundation/web/Message.ts"

/** What is to become of a scope, or has, for people; `undefined` of one that lasts. True on every day. */
export const retirementText = (catalogue: Catalogue, scope: ScopeName): Html | undefined => {
  const retired = catalogue.retirement(scope)
  if (retired === undefined) return undefined
  const { since, until } = retired
  const instead = successors(catalogue, scope)
  return html`${text("retirement.since", { since })}${
    instead.length === 0
      ? nothing
      : html` ${text("retirement.instead", { scopes: listText(instead.map((name) => html`<code>${name}</code>`)) })}`
  }${until === undefined ? nothing : html` ${text("retirement.until", { until })}`}`
}
