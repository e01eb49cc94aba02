import type { DateTime } from "effect"
import type { Resource } from "../../core/resources/Resource.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { isRetired } from "../../domain/catalogue/Retirement.ts"
import type { Fault } from "../../domain/Input.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { faultText } from "../../foundation/web/FaultText.ts"
import { alert, csrfField, field } from "../../foundation/web/FormFields.ts"
import { forReader, type Html, html, nothing } from "../../foundation/web/Html.ts"
import { code, link, text } from "../../foundation/web/Message.ts"
import { retirementText } from "../parts/RetirementView.ts"
import { scopeFields } from "../parts/ScopeFields.ts"
import type { Visitor } from "../session/PageSession.ts"
import { resourcePath, resourcesPath } from "./ResourcesView.ts"

/** Values in the form of a resource: as they are kept, or as they were entered. */
export type ResourceValues = Pick<Resource, "identifier" | "name"> & {
  readonly scopes: ReadonlyArray<string>
  readonly baseScopes: ReadonlyArray<string>
}

export interface ResourceFormView {
  readonly visitor: Visitor
  readonly catalogue: Catalogue
  /** Resource that is changed; `undefined` for a new one. */
  readonly resource: Resource | undefined
  readonly values: ResourceValues
  readonly now: DateTime.Utc
  readonly problem?: BadRequest | Conflict | undefined
}

export const noValues: ResourceValues = { identifier: "", name: "", scopes: [], baseScopes: [] }

/** Reads what was entered: each scope is a checkbox with a name of its own. */
export const enteredValues = (
  { names }: Catalogue,
  held: ReadonlyArray<string>,
  fields: Parameters
): ResourceValues => {
  const scopes = [...names, ...held.filter((scope) => !names.some((name) => name === scope))].filter((scope) =>
    fields.has(`scope:${scope}`)
  )
  return {
    identifier: fields.get("identifier") ?? "",
    name: fields.get("name") ?? "",
    scopes,
    // The mark of a scope that was not chosen means nothing.
    baseScopes: scopes.filter((scope) => fields.has(`base:${scope}`))
  }
}

/** Form by which a resource is registered, or changed. */
export const resourceFormBody = (view: ResourceFormView): Html => {
  const { problem, resource, values, visitor } = view
  const faults = problem?.details ?? []
  return html`<p><a href="${resourcesPath}">${text("resources")}</a></p>
<h1>${
    resource === undefined
      ? text("resources.register")
      : text("resource.edit.title", { name: html`<bdi>${resource.name}</bdi>` })
  }</h1>
${alert(problem)}
<form method="post" action="${resource === undefined ? resourcesPath : resourcePath(resource.id)}" novalidate>
${csrfField(visitor.viewer)}
${resource === undefined ? nothing : html`<input type="hidden" name="version" value="${resource.version}">`}
${field({ name: "name", label: text("resource.name"), value: values.name, hint: text("resource.name.hint") }, faults)}
${
    resource === undefined
      ? field({
        name: "identifier",
        type: "url",
        label: text("resource.identifier"),
        value: values.identifier,
        hint: text("resource.identifier.hint", { example: "https://mcp.example.com/mcp", code })
      }, faults)
      : html`<p>${text("resource.identifier.stays", { identifier: html`<code>${resource.identifier}</code>` })}</p>`
  }
${scopesChoice(view, faults)}
${resource === undefined ? nothing : html`<p class="muted">${text("resource.edit.consequences")}</p>`}
<div class="actions"><button>${text(resource === undefined ? "resources.register" : "resource.save")}</button>
<a href="${resource === undefined ? resourcesPath : resourcePath(resource.id)}">${text("form.cancel")}</a></div>
</form>`
}

const scopesChoice = (view: ResourceFormView, faults: ReadonlyArray<Fault>): Html => {
  const { catalogue, now, resource, values } = view
  const held: ReadonlyArray<string> = resource?.scopes ?? []
  const wrong = [
    ...said(text("resource.scopes"), "scopes", faults),
    ...said(text("resource.baseScopes"), "baseScopes", faults)
  ]
  const offered = [
    ...catalogue.names.filter((scope) =>
      !isRetired(catalogue, scope, now) || held.includes(scope) || values.scopes.includes(scope)
    ),
    ...catalogue.unknownOf(held)
  ]
  return html`<fieldset${wrong.length === 0 ? nothing : html` aria-describedby="scopes-note"`}>
<legend>${text("resource.scopes")}</legend>
<small class="muted">${text("resource.scopes.hint", { link: link("/docs/scopes") })} ${
    text("resource.baseScopes.hint")
  }</small>
${
    wrong.length === 0
      ? nothing
      : html`<small id="scopes-note" class="error">${wrong.map((fault) => html`<span>${fault}</span>`)}</small>`
  }
${
    forReader(({ language: { tag } }) =>
      scopeFields({
        catalogue,
        scopes: offered,
        chosen: values.scopes,
        tag,
        choice: (scope) => choice(view, scope, offered.indexOf(scope), tag)
      })
    )
  }
</fieldset>`
}

const said = (label: Html, path: string, faults: ReadonlyArray<Fault>): ReadonlyArray<Html> =>
  faults.filter((fault) => fault.path === path || fault.path.startsWith(`${path}.`))
    .map((fault) => faultText(label, fault))

/** A scope, and beneath it the box of the base set, which is shown once the scope is chosen. */
const choice = ({ catalogue, values }: ResourceFormView, scope: ScopeName, at: number, tag: string): Html => {
  const { covers, title } = catalogue.describe(scope, tag)
  const retirement = retirementText(catalogue, scope)
  const isChecked = (scopes: ReadonlyArray<string>) => scopes.includes(scope) ? html` checked` : nothing
  // Short, as the page has dozens, and unlike the id of any other field, whatever the scope is called.
  const id = `s${at}`
  return html`<label class="choice"><input type="checkbox" name="scope:${scope}" value="on"${
    isChecked(values.scopes)
  } aria-labelledby="${id}" aria-describedby="${id}n"><span><span id="${id}">${title}</span> <small id="${id}n">${covers} <code>${scope}</code>${
    retirement === undefined ? nothing : html` <strong>${retirement}</strong>`
  }</small></span></label><label class="optional"><input type="checkbox" name="base:${scope}" value="on"${
    isChecked(values.baseScopes)
  } aria-describedby="${id}">${text("resource.baseScopes.one")}</label>`
}
