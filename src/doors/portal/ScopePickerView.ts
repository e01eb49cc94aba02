import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Fault } from "../../domain/Input.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"

/** A checkbox for each scope of the catalogue, grouped by level. `AppFormView` reads what was chosen. */
export const scopePicker = (
  catalogue: Catalogue,
  chosen: ReadonlyArray<string>,
  faults: ReadonlyArray<Fault>
): Html => {
  const fault = faults.find(({ path }) => path === "scopes")
  const unknown = catalogue.unknownOf(chosen)
  return html`<fieldset${fault === undefined ? nothing : html` aria-describedby="scopes-note"`}>
<legend>Scopes</legend>
<small class="muted">Choose only what the app needs: users see each of them. <a href="/docs/scopes">Which operation needs which scope?</a></small>
${fault === undefined ? nothing : html`<small id="scopes-note" class="error">The app ${fault.message}.</small>`}
${
    catalogue.grouped(catalogue.names).map(({ reads, title, writes }, at) => {
      const some = [...reads, ...writes].some((scope) => chosen.includes(scope))
      return html`<details${at === 0 || some ? html` open` : nothing}>
<summary>${title}</summary>
<div class="scopes">
<fieldset><legend>See</legend>${reads.map((scope) => checkbox(catalogue, scope, chosen))}</fieldset>
<fieldset><legend>Change</legend>${writes.map((scope) => checkbox(catalogue, scope, chosen))}</fieldset>
</div>
</details>`
    })
  }
${
    unknown.length === 0
      ? nothing
      : html`<p class="muted">The app keeps what this version of the server does not know: <code>${
        unknown.join(" ")
      }</code></p>`
  }
</fieldset>`
}

const checkbox = ({ describe }: Catalogue, scope: ScopeName, chosen: ReadonlyArray<string>): Html => {
  const { covers, title } = describe(scope)
  return html`<label class="choice"><input type="checkbox" name="scope:${scope}" value="on"${
    chosen.includes(scope) ? html` checked` : nothing
  } aria-labelledby="${scope}" aria-describedby="${scope}-note"><span><span id="${scope}">${title}</span> <small id="${scope}-note" class="muted">${covers} <code>${scope}</code></small></span></label>`
}
