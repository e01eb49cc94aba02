import type { DateTime } from "effect"
import type { RegistrationInput } from "../../core/clients/life/Registration.ts"
import type { ReviewedField } from "../../core/clients/records/ReviewedFields.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Fault } from "../../domain/Input.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { alert, csrfField, field } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
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
export const enteredFields = ({ names }: Catalogue, fields: Parameters): AppFields => ({
  kind: fields.get("kind") ?? "",
  name: fields.get("name") ?? "",
  purpose: fields.get("purpose") ?? "",
  website: fields.get("website") ?? "",
  logoUrl: fields.get("logoUrl") ?? null,
  redirectUris: (fields.get("redirectUris") ?? "").split(/[\r\n]+/).map((line) => line.trim()).filter((line) =>
    line !== ""
  ),
  scopes: names.filter((scope) => fields.has(`scope:${scope}`)),
  refreshGrace: fields.get("refreshGrace")
})

export const emptyFields = (catalogue: Catalogue): AppFields => ({
  ...enteredFields(catalogue, new Map()),
  kind: "confidential"
})

interface AppForm {
  readonly catalogue: Catalogue
  readonly action: string
  readonly viewer: Viewer
  readonly values: AppFields
  /** Scopes that the app has. */
  readonly held: ReadonlyArray<string>
  readonly now: DateTime.Utc
  readonly submit: string
  readonly problem?: BadRequest | Conflict | undefined
  readonly hidden: Readonly<Record<string, string>>
  /** True for a new app, whose kind is still to be chosen. */
  readonly isNew: boolean
  readonly logo: LogoState
  /** True for a legacy app, whose scopes are chosen on the migration page. */
  readonly withoutScopes?: boolean
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
${Object.values(inputs(form)).map((input) => html`${input}\n`)}<button>${form.submit}</button>
</form>`

/** Inputs in the order of the form. */
const inputs = (
  { catalogue, held, isNew, logo, now, problem, values, withoutScopes = false }: AppForm
): Readonly<Record<keyof AppFields, Html>> => {
  const faults = problem?.details ?? []
  const url = { type: "url", autocomplete: "url" } as const
  const labelled = <F extends ReviewedField>(name: F) => ({ name, label: fieldLabels[name] })
  return {
    name: field(
      { ...labelled("name"), value: values.name, hint: "Users read it when they are asked for consent." },
      faults
    ),
    purpose: area({
      name: "purpose",
      label: "Purpose",
      value: values.purpose,
      rows: 3,
      hint: "What the app does and why it needs what it asks for. The reviewer reads it."
    }, faults),
    website: field(
      { ...url, ...labelled("website"), value: values.website, hint: "As in https://app.example" },
      faults
    ),
    logoUrl: logo.areShown
      ? html`${
        field({
          ...url,
          ...labelled("logoUrl"),
          value: values.logoUrl ?? "",
          required: false,
          hint:
            "The https address of a square PNG, JPEG or WebP, at most 2 MB. We fetch it once, when you save, and show users our copy. May be empty."
        }, faults)
      }${logo.digest === null ? nothing : currentLogo(logo.digest)}`
      : withoutLogos(values.logoUrl, faults),
    kind: isNew ? kindChoice(values.kind, faults) : nothing,
    redirectUris: area({
      ...labelled("redirectUris"),
      value: values.redirectUris.join("\n"),
      rows: Math.max(3, values.redirectUris.length + 1),
      lines: values.redirectUris,
      hint:
        "One a line, at most 10. Users come back to exactly one of these: https, http on localhost, or for public apps a scheme of their own such as com.example.app:/callback."
    }, faults),
    scopes: withoutScopes ? nothing : scopePicker({ catalogue, chosen: values.scopes, held, now, faults }),
    refreshGrace: values.refreshGrace === undefined ? nothing : graceChoice(values.refreshGrace)
  }
}

const currentLogo = (digest: string): Html =>
  html`<div class="current-logo">${logoImage(digest, "The picture of this version")}
<label class="choice"><input type="checkbox" name="refetchLogo" value="on"><span>Fetch the picture again: it has changed at its address.</span></label>
</div>`

/** Stands for the field on a server that shows no logos; the address of one stays as it is. */
const withoutLogos = (logoUrl: string | null, faults: ReadonlyArray<Fault>): Html => {
  const fault = faults.find(({ path }) => path === "logoUrl")
  return html`${logoUrl === null ? nothing : html`<input type="hidden" name="logoUrl" value="${logoUrl}">`}
<p class="${fault === undefined ? "muted" : "error"}">${fieldLabels.logoUrl}: ${
    fault?.message ?? "this server shows no logos. Users see the first letter of the name."
  }</p>`
}

/** One of several values for a field, with what it means. */
const choiceOf = (name: keyof AppFields, chosen: string) => (value: string, title: string, meaning: string): Html =>
  html`<label class="choice"><input type="radio" name="${name}" value="${value}"${
    chosen === value ? html` checked` : nothing
  }><span>${title} <small class="muted">${meaning}</small></span></label>`

const graceChoice = (grace: string): Html => {
  const choice = choiceOf("refreshGrace", grace)
  return html`<fieldset>
<legend>When the answer to a refresh is lost, how long may the app repeat the request?</legend>
${
    choice(
      "until-used",
      "Until the new tokens are used",
      "The same refresh token comes back, after a long outage, too. After that, the old one counts as stolen."
    )
  }
${
    choice(
      "short",
      "For a short time only",
      "For access tokens that APIs verify themselves: we don't see when those are used."
    )
  }
</fieldset>`
}

const kindChoice = (kind: string, faults: ReadonlyArray<Fault>): Html => {
  const choice = choiceOf("kind", kind)
  return html`<fieldset>
<legend>Where does it run?</legend>
${choice("confidential", "On a server of yours (confidential)", "It can keep a secret.")}
${
    choice(
      "public",
      "On people's devices or in their browsers (public)",
      "It cannot keep a secret and proves itself with PKCE."
    )
  }
${faults.some(({ path }) => path === "kind") ? html`<small class="error">Choose one of the two.</small>` : nothing}
</fieldset>`
}
