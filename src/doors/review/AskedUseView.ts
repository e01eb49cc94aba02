import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { AskedUse } from "../../core/usage/AskedUse.ts"
import type { Coverage } from "../../core/usage/Use.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { shortDateText } from "../../foundation/web/DateText.ts"
import { forReader, type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { coverageText, weeksText } from "../parts/UseText.ts"
import type { Visitor } from "../session/PageSession.ts"

export interface AskedUseView {
  readonly catalogue: Catalogue
  readonly client: ManagedClient
  readonly coverage: Coverage
  readonly use: AskedUse | null
  readonly visitor: Visitor
}

/** What an app asks for against what it uses, in a line, and which scopes these are. */
export const askedAgainstUsed = (view: AskedUseView): Html => {
  const { client, coverage, use, visitor: { account } } = view
  if (use === null) return nothing
  const { added, asked, unknown, unused, used } = use
  const kind = client.change?.isWaiting === true ? "change" : "app"
  const uses = used.length
  return html`<p><strong>${
    unknown.length === 0
      ? text("asked.uses", { kind, asked, used: uses })
      : uses === 0
      ? text("asked.unknown", { kind, asked })
      : text("asked.usesAtLeast", { kind, asked, used: uses })
  }</strong>${
    [
      ...(added.length === 0 ? [] : [text("asked.added", { count: added.length })]),
      ...(unused.length === 0 ? [] : [text("asked.unused", { count: unused.length })])
    ].map((part) => html` ${part}`)
  }</p>
<details><summary>${text("asked.which")}</summary>
<dl class="facts">
${group(view, text("asked.added.label"), added)}
${
    use.since === null
      ? nothing
      : group(view, text("asked.unused.label", { since: shortDateText(use.since, account) }), unused)
  }
${
    group(view, text("asked.used.label"), used.map(({ scope }) => scope), (scope) => {
      const { calls = 0 } = used.find((one) => one.scope === scope) ?? {}
      return text("asked.calls", { calls, weeks: weeksText(coverage.keptSince) })
    })
  }
${group(view, text("asked.unknown.label"), unknown)}
</dl>
<p class="muted">${coverageText(coverage, account)}</p>
</details>`
}

const group = (
  { catalogue }: AskedUseView,
  label: Html,
  scopes: ReadonlyArray<ScopeName>,
  about: (scope: ScopeName) => Html = () => nothing
): Html =>
  scopes.length === 0 ?
    nothing :
    html`<dt>${label}</dt><dd><ul>${
      scopes.map((scope) => html`<li>${scopeText(catalogue, scope)} <small class="muted">${about(scope)}</small></li>`)
    }</ul></dd>
`

/** A scope in words, with its name. */
export const scopeText = (catalogue: Catalogue, scope: ScopeName): Html =>
  forReader(({ language }) => {
    const { title } = catalogue.describe(scope, language.tag)
    return html`${title === scope ? "" : `${title} `}<code>${scope}</code>`
  })
