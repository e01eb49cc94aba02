import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { successors } from "../../domain/catalogue/Retirement.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { html, type Phrase } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { text } from "../../foundation/web/Message.ts"

/** What is to become of a scope, or has, for developers and reviewers; nothing of one that lasts. True on every day. */
export const retirementText = (catalogue: Catalogue, scope: ScopeName): ReadonlyArray<Phrase> => {
  const retired = catalogue.retirement(scope)
  if (retired === undefined) return []
  const { since, until } = retired
  const instead = successors(catalogue, scope)
  const from = instead.length === 0
    ? text("retirement", { since })
    : text("retirement.instead", { since, scopes: listText(instead.map((name) => html`<code>${name}</code>`)) })
  return until === undefined ? [from] : [from, " ", text("retirement.until", { until })]
}
