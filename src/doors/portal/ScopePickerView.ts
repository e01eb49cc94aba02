import type { DateTime } from "effect"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { isRetired } from "../../domain/catalogue/Retirement.ts"
import { findScopes } from "../../domain/catalogue/ScopeMap.ts"
import type { Fault } from "../../domain/Input.ts"
import type { Endpoint } from "../../domain/operations/EndpointList.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { faultText } from "../../foundation/web/FaultText.ts"
import { forReader, type Html, html, nothing } from "../../foundation/web/Html.ts"
import { code, link, text } from "../../foundation/web/Message.ts"
import { retirementText } from "../parts/RetirementView.ts"
import { scopeFields } from "../parts/ScopeFields.ts"

interface ScopePicker {
  readonly catalogue: Catalogue
  readonly chosen: ReadonlyArray<string>
  /** Those of them that users may decline; absent where a legacy app moves to scopes, which are all required. */
  readonly optional?: ReadonlyArray<string>
  /** Scopes that the app has, which it may keep when they were retired. */
  readonly held: ReadonlyArray<string>
  readonly now: DateTime.Utc
  readonly faults: ReadonlyArray<Fault>
  /** Absent where the form that the picker is a part of has no button for it. */
  readonly search?: ScopeSearch
}

/** Words of what an app does, by which its scopes are found. */
export interface ScopeSearch {
  readonly text: string
  /** Address that keeps what was chosen, and shows the page again with what was found. */
  readonly action: string
}

/**
 * A checkbox for each scope that the app may have, by level and area, to see and to change. `AppFormView` reads what
 * was chosen; what was chosen once and may not be any more stays, so that the fault of it can be mended. A search hides
 * what it does not find, and nothing that was chosen.
 */
export const scopePicker = (picker: ScopePicker): Html => {
  const { catalogue, chosen, faults, held, now, optional, search } = picker
  const wrong = faults.filter(({ path }) => /^(scopes|optionalScopes)(\.|$)/.test(path))
  const unknown = catalogue.unknownOf(chosen)
  const offered = catalogue.names.filter((scope) =>
    !isRetired(catalogue, scope, now) || chosen.includes(scope) || held.includes(scope)
  )
  return html`<fieldset${wrong.length === 0 ? nothing : html` aria-describedby="scopes-note"`}>
<legend>${text("field.scopes")}</legend>
<small class="muted">${text("scopePicker.hint", { link: link("/docs/scopes") })}${
    optional && html` ${text("scopePicker.optional.hint")}`
  }</small>
${
    wrong.length === 0
      ? nothing
      : html`<small id="scopes-note" class="error">${
        wrong.map((fault) => html`<span>${faultText(text("scopePicker.app"), fault)}</span>`)
      }</small>`
  }
${search && searchField(search)}
${
    forReader(({ language: { tag } }) => {
      if (search === undefined || search.text === "") return levels(picker, offered, tag)
      const found = findScopes(catalogue, catalogue.policy, search.text, tag)
      const shown = offered.filter((scope) => found.scopes.includes(scope))
      const others = offered.filter((scope) => chosen.includes(scope) && !shown.includes(scope))
      return html`<p role="status">${text("register.found", { count: shown.length, search: apart(search.text) })}</p>
${found.public.length === 0 ? nothing : openToAnyone(found.public)}
${levels(picker, shown, tag, true)}
${
        others.length === 0
          ? nothing
          : html`<p><strong>${text("register.chosen")}</strong></p>${levels(picker, others, tag, true)}`
      }`
    })
  }
${
    unknown.length === 0
      ? nothing
      : html`<p class="muted">${text("scopePicker.unknown", { scopes: unknown.join(" "), code })}</p>`
  }
</fieldset>`
}

const apart = (words: string): Html => html`<bdi>${words}</bdi>`

const searchField = ({ action, text: value }: ScopeSearch): Html =>
  html`<div class="finder">
<input type="search" name="q" value="${value}" maxlength="200" aria-label="${
    text("register.search.label")
  }" placeholder="${text("register.search.example")}">
<button name="go" value="search" formaction="${action}" formnovalidate class="secondary">${
    text("register.search")
  }</button>${
    value === ""
      ? nothing
      : html`<button name="go" value="all" formaction="${action}" formnovalidate class="secondary">${
        text("register.search.all")
      }</button>`
  }
</div>`

/** Operations that need no scope, which a search for them must say: nobody would find what to choose. */
const openToAnyone = (operations: ReadonlyArray<Endpoint>): Html =>
  html`<p>${text("register.public", { count: operations.length })}</p>
<ul class="operations">${
    operations.slice(0, mostShown).map(({ method, path }) =>
      html`<li><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></li>`
    )
  }</ul>`

const mostShown = 5

/** Boxes of these scopes. */
const levels = (picker: ScopePicker, scopes: ReadonlyArray<ScopeName>, tag: string, areOpen = false) =>
  scopeFields({
    catalogue: picker.catalogue,
    scopes,
    chosen: picker.chosen,
    tag,
    areOpen,
    choice: (scope) => choice(picker, scope, tag)
  })

/** A scope, and beneath it the box for users who may decline it, which is shown once the scope is chosen. */
const choice = (
  { catalogue, chosen, optional }: Pick<ScopePicker, "catalogue" | "chosen" | "optional">,
  scope: ScopeName,
  tag: string
): Html => {
  const { covers, title } = catalogue.describe(scope, tag)
  const retirement = retirementText(catalogue, scope)
  // Short, as a page has dozens, and unlike the id of any other field, whatever the scope is called.
  const id = `s${catalogue.names.findIndex((name) => name === scope)}`
  const isChecked = (scopes: ReadonlyArray<string>) => scopes.includes(scope) ? html` checked` : nothing
  return html`<label class="choice"><input type="checkbox" name="scope:${scope}" value="on"${
    isChecked(chosen)
  } aria-labelledby="${id}" aria-describedby="${id}n"><span><span id="${id}">${title}</span> <small id="${id}n">${covers} <code>${scope}</code>${
    retirement === undefined ? nothing : html` <strong>${retirement}</strong>`
  }</small></span></label>${
    optional &&
    html`<label class="optional"><input type="checkbox" name="optional:${scope}" value="on"${
      isChecked(optional)
    } aria-describedby="${id}">${text("scopePicker.optional")}</label>`
  }`
}
