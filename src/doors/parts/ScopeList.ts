import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { GrantedScopes, ScopeName } from "../../domain/scopes/Scope.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"

/**
 * Scopes in plain words, grouped by whose data they concern; those that only read stand apart from those that change.
 */
export const scopeList = (
  { api, describe, grouped }: Catalogue,
  scopes: GrantedScopes,
  mark: (scope: ScopeName) => Html
): Html => {
  if (scopes === null) return everything(api.everything)
  const kind = (name: "reads" | "writes", of: ReadonlyArray<ScopeName>) =>
    of.length === 0 ? nothing : html`<div class="access ${name}">
<h3>${icons[name]} ${verbs[name]}</h3>
<ul>${
      of.map((scope) => {
        const { covers, title } = describe(scope)
        return html`<li><strong>${title}</strong>${mark(scope)} <span class="muted">${covers}</span></li>`
      })
    }</ul>
</div>`
  return html`${
    grouped(scopes).map(({ reads, title, writes }) =>
      html`<section>
<h2>${title}</h2>
${kind("reads", reads)}
${kind("writes", writes)}
</section>`
    )
  }`
}

/** A short list of scopes, for a list of apps. */
export const scopeSummary = ({ describe, grouped }: Catalogue, scopes: GrantedScopes): Html => {
  if (scopes === null) {
    return html`<ul class="summary"><li class="writes">${icons.writes} Everything that you can see and change yourself</li></ul>`
  }
  const groups = grouped(scopes)
  const line = (name: "reads" | "writes") => (scope: ScopeName) =>
    html`<li class="${name}">${icons[name]} ${describe(scope).title}</li>`
  return html`<ul class="summary">
${groups.flatMap(({ reads }) => reads).map(line("reads"))}
${groups.flatMap(({ writes }) => writes).map(line("writes"))}
</ul>`
}

const svg = (title: string, path: Html): Html =>
  html`<svg class="icon" role="img" aria-label="${title}" viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${path}</svg>`

const icons = {
  reads: svg(
    "Read:",
    html`<path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7S2 12 2 12z"/><circle cx="12" cy="12" r="3"/>`
  ),
  writes: svg("Change:", html`<path d="M12 20h9"/><path d="M16.5 3.5a2.1 2.1 0 0 1 3 3L7 19l-4 1 1-4z"/>`)
} as const

const verbs = { reads: "Read only", writes: "Can change" } as const

/** Access of a legacy grant (specification §5.6). */
const everything = (what: string): Html =>
  html`<section>
<h2>Everything</h2>
<div class="access writes">
<h3>${icons.writes} Can see and change</h3>
<ul><li><strong>Whatever you can do yourself</strong> <span class="muted">This app does not say what it needs, so it gets all
that you have: it can see and change ${what}.</span></li></ul>
</div>
</section>`
