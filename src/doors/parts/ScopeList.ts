import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { inLanguage } from "../../domain/files/Words.ts"
import type { GrantedScopes, ScopeName } from "../../domain/scopes/Scope.ts"
import { inQuotes } from "../../domain/Text.ts"
import { forReader, type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { text } from "../../foundation/web/Message.ts"

/**
 * Scopes in plain words, grouped by whose data they concern; those that only read stand apart from those that change.
 * With them stand those that come along and let the app do other things: a title does not say that.
 */
export const scopeList = (
  { alsoGranted, describe, file, grouped, isScope, wider }: Catalogue,
  scopes: GrantedScopes,
  mark: (scope: ScopeName) => Html
): Html =>
  forReader(({ language: { tag } }) => {
    if (scopes === null) return everything(inLanguage(file.api.everything, tag))
    const also: ReadonlyArray<ScopeName> = alsoGranted(scopes)
    const comesWith = (scope: ScopeName) => {
      if (!also.includes(scope)) return nothing
      const those = wider(scope).filter((one) => scopes.includes(one))
      return html` ${
        text("scopes.comesWith", { scopes: listText(those.map((one) => inQuotes(describe(one, tag).title))) })
      }`
    }
    const kind = (name: "reads" | "writes", of: ReadonlyArray<ScopeName>) =>
      of.length === 0 ? nothing : html`<div class="access ${name}">
<h3>${icons[name]} ${verbs[name]}</h3>
<ul>${
        of.map((scope) => {
          const { covers, title } = describe(scope, tag)
          return html`<li><strong>${title}</strong>${mark(scope)} <span class="muted">${
            isScope(scope) ? covers : text("scopes.unknown")
          }${comesWith(scope)}</span></li>`
        })
      }</ul>
</div>`
    return grouped([...scopes, ...also], tag).map(({ level, reads, title, writes }) =>
      html`<section>
<h2>${level === "unknown" ? text("scopes.unknownLevel") : title}</h2>
${kind("reads", reads)}
${kind("writes", writes)}
</section>`
    )
  })

/** A short list of scopes, for a list of apps. */
export const scopeSummary = ({ alsoGranted, describe, grouped }: Catalogue, scopes: GrantedScopes): Html =>
  forReader(({ language: { tag } }) => {
    if (scopes === null) {
      return html`<ul class="summary"><li class="writes">${icons.writes} ${
        text("scopes.summaryOfEverything")
      }</li></ul>`
    }
    const groups = grouped([...scopes, ...alsoGranted(scopes)])
    const line = (name: "reads" | "writes") => (scope: ScopeName) =>
      html`<li class="${name}">${icons[name]} ${describe(scope, tag).title}</li>`
    return html`<ul class="summary">
${groups.flatMap(({ reads }) => reads).map(line("reads"))}
${groups.flatMap(({ writes }) => writes).map(line("writes"))}
</ul>`
  })

const svg = (title: Phrase, path: Html): Html =>
  html`<svg class="icon" role="img" aria-label="${title}" viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${path}</svg>`

const icons = {
  reads: svg(
    text("scopes.reads.icon"),
    html`<path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7S2 12 2 12z"/><circle cx="12" cy="12" r="3"/>`
  ),
  writes: svg(
    text("scopes.writes.icon"),
    html`<path d="M12 20h9"/><path d="M16.5 3.5a2.1 2.1 0 0 1 3 3L7 19l-4 1 1-4z"/>`
  )
} as const

/** Picture for what only sees, or also changes. */
export const accessIcon = (kind: keyof typeof icons): Html => icons[kind]

const verbs = { reads: text("scopes.reads"), writes: text("scopes.writes") } as const

/** Access of a legacy grant (specification §5.6). */
const everything = (what: string): Html =>
  html`<section>
<h2>${text("scopes.everything")}</h2>
<div class="access writes">
<h3>${icons.writes} ${text("scopes.everything.access")}</h3>
<ul><li><strong>${text("scopes.everything.title")}</strong> <span class="muted">${
    text("scopes.everything.covers", { what })
  }</span></li></ul>
</div>
</section>`
