import type { DateTime } from "effect"
import type { RegistrationInput } from "../../core/clients/life/Registration.ts"
import { nothingSaid, type ReviewedField } from "../../core/clients/records/ReviewedFields.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Fault } from "../../domain/Input.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { faultText } from "../../foundation/web/FaultText.ts"
import { alert, csrfField, field } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { area } from "../../foundation/web/TextArea.ts"
import { fieldLabels } from "../parts/FieldLabels.ts"
import { logoImage } from "../parts/LogoView.ts"
import { scopePicker } from "./ScopePickerView.ts"

/** Values in the form of an app: as they are kept, or as they were entered. */
export interface AppFields extends Required<RegistrationInput> {
  /** `undefined` where there is nothing to choose: in a new app, and in a public one. */
  readonly refreshGrace: string | undefined
}

/** Reads what was entered. Each scope is a checkbox with a name of its own; each redirect URI stands on a line. */
export const enteredFields = ({ names }: Catalogue, fields: Parameters): AppFields => {
  const scopes = names.filter((scope) => fields.has(`scope:${scope}`))
  return {
    kind: fields.get("kind") ?? "",
    name: fields.get("name") ?? "",
    tagline: fields.get("tagline") ?? null,
    purpose: fields.get("purpose") ?? "",
    website: fields.get("website") ?? "",
    privacyUrl: fields.get("privacyUrl") ?? null,
    termsUrl: fields.get("termsUrl") ?? null,
    contact: fields.get("contact") ?? null,
    logoUrl: fields.get("logoUrl") ?? null,
    redirectUris: (fields.get("redirectUris") ?? "").split(/[\r\n]+/).map((line) => line.trim()).filter((line) =>
      line !== ""
    ),
    scopes,
    // The mark of a scope that was not chosen means nothing.
    optionalScopes: scopes.filter((scope) => fields.has(`optional:${scope}`)),
    refreshGrace: fields.get("refreshGrace")
  }
}

export const emptyFields = (catalogue: Catalogue): AppFields => ({
  ...enteredFields(catalogue, new Map()),
  kind: "confidential"
})

/** What an app may have, and what is in the fields of its form. */
interface AppInputs {
  readonly catalogue: Catalogue
  readonly values: AppFields
  /** Scopes that the app has. */
  readonly held: ReadonlyArray<string>
  readonly now: DateTime.Utc
  readonly problem?: BadRequest | Conflict | undefined
  /** True for a new app, whose kind is still to be chosen. */
  readonly isNew: boolean
  readonly logo: LogoState
  /** True of a form without scopes: those of an app that is registered have a form of their own. */
  readonly withoutScopes?: boolean
}

interface AppForm extends AppInputs {
  readonly action: string
  readonly viewer: Viewer
  readonly submit: Phrase
  readonly hidden: Readonly<Record<string, string>>
}

/** Facts about the app's logo besides its address. */
interface LogoState {
  /** False on a server that can make no pictures. */
  readonly areShown: boolean
  /** Picture of the version that is edited. */
  readonly digest: string | null
}

export const appForm = (form: AppForm): Html =>
  html`${alert(form.problem)}
<form method="post" action="${form.action}" novalidate>
${csrfField(form.viewer)}
${Object.entries(form.hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${Object.values(appInputs(form)).map((input) => html`${input}\n`)}<button>${form.submit}</button>
</form>`

/** Inputs in the order of the form. */
export const appInputs = (
  { catalogue, held, isNew, logo, now, problem, values, withoutScopes = false }: AppInputs
): Readonly<Record<keyof AppFields, Html>> => {
  const faults = problem?.details ?? []
  const url = { type: "url", autocomplete: "url" } as const
  const labelled = <F extends ReviewedField>(name: F) => ({ name, label: fieldLabels[name] })
  /** A field that may be left empty. */
  const extra = (name: keyof typeof nothingSaid | "logoUrl", hint: Phrase, more: Partial<typeof url> = {}) =>
    field({ ...labelled(name), ...more, value: values[name] ?? "", required: false, hint }, faults)
  return {
    name: field(
      { ...labelled("name"), value: values.name, hint: text("appForm.name.hint") },
      faults
    ),
    tagline: extra("tagline", text("appForm.tagline.hint")),
    purpose: area({
      name: "purpose",
      label: text("appForm.purpose"),
      value: values.purpose,
      rows: 3,
      hint: text("appForm.purpose.hint")
    }, faults),
    website: field(
      {
        ...url,
        ...labelled("website"),
        value: values.website,
        hint: text("appForm.website.hint", { example: "https://app.example" })
      },
      faults
    ),
    privacyUrl: extra("privacyUrl", text("appForm.privacyUrl.hint"), url),
    termsUrl: extra("termsUrl", text("appForm.termsUrl.hint"), url),
    contact: extra("contact", text("appForm.contact.hint")),
    logoUrl: logo.areShown
      ? html`${extra("logoUrl", text("appForm.logo.hint"), url)}${
        logo.digest === null ? nothing : currentLogo(logo.digest)
      }`
      : withoutLogos(values.logoUrl, faults),
    kind: isNew ? kindChoice(values.kind, faults) : nothing,
    redirectUris: area({
      name: "redirectUris",
      label: fieldLabels.redirectUris,
      value: values.redirectUris.join("\n"),
      rows: Math.max(3, values.redirectUris.length + 1),
      lines: values.redirectUris,
      hint: text("appForm.redirectUris.hint", { example: "com.example.app:/callback" })
    }, faults),
    scopes: withoutScopes
      ? nothing
      : scopePicker({ catalogue, chosen: values.scopes, optional: values.optionalScopes, held, now, faults }),
    // Each stands beside its scope.
    optionalScopes: nothing,
    refreshGrace: values.refreshGrace === undefined ? nothing : graceChoice(values.refreshGrace)
  }
}

const currentLogo = (digest: string): Html =>
  html`<div class="current-logo">${logoImage(digest, text("appForm.picture"))}
<label class="choice"><input type="checkbox" name="refetchLogo" value="on"><span>${
    text("appForm.refetchLogo")
  }</span></label>
</div>`

/** Stands for the field on a server that shows no logos; the address of one stays as it is. */
const withoutLogos = (logoUrl: string | null, faults: ReadonlyArray<Fault>): Html => {
  const fault = faults.find(({ path }) => path === "logoUrl")
  return html`${logoUrl === null ? nothing : html`<input type="hidden" name="logoUrl" value="${logoUrl}">`}
${
    fault === undefined
      ? html`<p class="muted">${text("appForm.logo.notShown")}</p>`
      : html`<p class="error">${faultText(fieldLabels.logoUrl, fault)}</p>`
  }`
}

/** One of several values for a field, with what it means. */
const choiceOf = (name: keyof AppFields, chosen: string) => (value: string, title: Phrase, meaning: Phrase): Html =>
  html`<label class="choice"><input type="radio" name="${name}" value="${value}"${
    chosen === value ? html` checked` : nothing
  }><span>${title} <small class="muted">${meaning}</small></span></label>`

const graceChoice = (grace: string): Html => {
  const choice = choiceOf("refreshGrace", grace)
  return html`<fieldset>
<legend>${text("appForm.grace")}</legend>
${choice("until-used", text("appForm.grace.untilUsed"), text("appForm.grace.untilUsed.meaning"))}
${choice("short", text("appForm.grace.short"), text("appForm.grace.short.meaning"))}
</fieldset>`
}

const kindChoice = (kind: string, faults: ReadonlyArray<Fault>): Html => {
  const choice = choiceOf("kind", kind)
  return html`<fieldset>
<legend>${text("appForm.kind")}</legend>
${choice("confidential", text("appForm.kind.confidential"), text("appForm.kind.confidential.meaning"))}
${choice("public", text("appForm.kind.public"), text("appForm.kind.public.meaning"))}
${
    faults.some(({ path }) => path === "kind")
      ? html`<small class="error">${text("appForm.kind.none")}</small>`
      : nothing
  }
</fieldset>`
}
