import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { inLanguage } from "../../domain/files/Words.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"

interface ScopeFields {
  readonly catalogue: Catalogue
  readonly scopes: ReadonlyArray<ScopeName>
  /** A level is folded until something in it is chosen. */
  readonly chosen: ReadonlyArray<string>
  /** Language of the reader. */
  readonly tag: string
  /** True opens every level. */
  readonly areOpen?: boolean
  /** Box of a scope. */
  readonly choice: (scope: ScopeName) => Html
}

/** A box for each of some scopes, by level and area. */
export const scopeFields = (
  { areOpen = false, catalogue, choice, chosen, scopes, tag }: ScopeFields
): ReadonlyArray<Html> =>
  catalogue.grouped(scopes, tag).map(({ reads, title, writes }, at) => {
    const isOpen = areOpen || at === 0 || [...reads, ...writes].some((scope) => chosen.includes(scope))
    return html`<details${isOpen ? html` open` : nothing}>
<summary>${title}</summary>
${
      areas(catalogue, reads, writes, tag).map(({ legend, scopes }) =>
        html`<fieldset class="area"><legend>${legend}</legend>
<div class="scopes">
${scopes.map((scope) => html`<div>${choice(scope)}</div>\n`)}</div></fieldset>`
      )
    }
</details>`
  })

/** Areas of some scopes in the order of the file; behind them those that have no area. */
const areas = (
  { entry, file }: Catalogue,
  reads: ReadonlyArray<ScopeName>,
  writes: ReadonlyArray<ScopeName>,
  tag: string
): ReadonlyArray<{ readonly legend: Phrase; readonly scopes: ReadonlyArray<ScopeName> }> => {
  const isIn = (id: string | undefined) => (scope: ScopeName) => entry(scope)?.area === id
  return [
    ...(file.areas ?? []).map(({ id, title }) => ({
      legend: inLanguage(title, tag),
      scopes: [...reads, ...writes].filter(isIn(id))
    })),
    { legend: text("scopePicker.reads"), scopes: reads.filter(isIn(undefined)) },
    { legend: text("scopePicker.writes"), scopes: writes.filter(isIn(undefined)) }
  ].filter(({ scopes }) => scopes.length > 0)
}
