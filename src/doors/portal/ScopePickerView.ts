import type { DateTime } from "effect"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { isRetired } from "../../domain/catalogue/Retirement.ts"
import type { Fault } from "../../domain/Input.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { faultText } from "../../foundation/web/FaultText.ts"
import { forReader, type Html, html, nothing } from "../../foundation/web/Html.ts"
import { code, link, text } from "../../foundation/web/Message.ts"
import { retirementText } from "../parts/RetirementView.ts"

interface ScopePicker {
  readonly catalogue: Catalogue
  readonly chosen: ReadonlyArray<string>
  /** Those of them that users may decline; absent where a legacy app moves to scopes, which are all required. */
  readonly optional?: ReadonlyArray<string>
  /** Scopes that the app has, which it may keep when they were retired. */
  readonly held: ReadonlyArray<string>
  readonly now: DateTime.Utc
  readonly faults: ReadonlyArray<Fault>
}

/**
 * A checkbox for each scope that the app may have, grouped by level. `AppFormView` reads what was chosen; what was
 * chosen once and may not be any more stays, so that the fault of it can be mended.
 */
export const scopePicker = ({ catalogue, chosen, faults, held, now, optional }: ScopePicker): Html => {
  const wrong = faults.filter(({ path }) => /^(scopes|optionalScopes)(\.|$)/.test(path))
  const unknown = catalogue.unknownOf(chosen)
  const offered = catalogue.names.filter((scope) =>
    !isRetired(catalogue, scope, now) || chosen.includes(scope) || held.includes(scope)
  )
  return html`<fieldset${wrong.length === 0 ? nothing : html` aria-describedby="scopes-note"`}>
<legend>${text("field.scopes")}</legend>
<small class="muted">${text("scopePicker.hint", { link: link("/docs/scopes") })}</small>
${
    wrong.length === 0
      ? nothing
      : html`<small id="scopes-note" class="error">${
        wrong.map((fault) => html`<span>${faultText(text("scopePicker.app"), fault)}</span>`)
      }</small>`
  }
${
    forReader(({ language: { tag } }) =>
      catalogue.grouped(offered, tag).map(({ reads, title, writes }, at) => {
        const some = [...reads, ...writes].some((scope) => chosen.includes(scope))
        const boxes = (legend: Html, scopes: ReadonlyArray<ScopeName>) =>
          html`<fieldset><legend>${legend}</legend>${
            scopes.map((scope) =>
              html`${checkbox(catalogue, scope, chosen, tag)}${optional && optionalBox(scope, optional)}`
            )
          }</fieldset>`
        return html`<details${at === 0 || some ? html` open` : nothing}>
<summary>${title}</summary>
<div class="scopes">
${boxes(text("scopePicker.reads"), reads)}
${boxes(text("scopePicker.writes"), writes)}
</div>
</details>`
      })
    )
  }
${
    unknown.length === 0
      ? nothing
      : html`<p class="muted">${text("scopePicker.unknown", { scopes: unknown.join(" "), code })}</p>`
  }
</fieldset>`
}

const checkbox = (catalogue: Catalogue, scope: ScopeName, chosen: ReadonlyArray<string>, tag: string): Html => {
  const { covers, title } = catalogue.describe(scope, tag)
  const retirement = retirementText(catalogue, scope)
  return html`<label class="choice"><input type="checkbox" name="scope:${scope}" value="on"${
    chosen.includes(scope) ? html` checked` : nothing
  } aria-labelledby="${scope}" aria-describedby="${scope}-note"><span><span id="${scope}">${title}</span> <small id="${scope}-note" class="muted">${covers} <code>${scope}</code>${
    retirement === undefined ? nothing : html` <strong>${retirement}</strong>`
  }</small></span></label>`
}

/** Stands beneath its scope, and is shown once that is chosen. */
const optionalBox = (scope: ScopeName, optional: ReadonlyArray<string>): Html =>
  html`<label class="choice optional"><input type="checkbox" name="optional:${scope}" value="on"${
    optional.includes(scope) ? html` checked` : nothing
  } aria-describedby="${scope}"><small>${text("scopePicker.optional")}</small></label>`
