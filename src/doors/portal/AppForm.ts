import type { RegistrationInput } from "../../core/clients/Registration.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import type { Fault } from "../../domain/Input.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { describe, grouped } from "../../domain/scopes/Description.ts"
import { catalogue, type Scope } from "../../domain/scopes/Scope.ts"
import { alert, csrfField, field } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"

/** What the form of an app holds: as it is, or as it was entered. */
export interface AppFields extends Omit<RegistrationInput, "logoUrl"> {
  readonly logoUrl: string | null
}

export const emptyFields: AppFields = {
  kind: "confidential",
  name: "",
  purpose: "",
  website: "",
  logoUrl: null,
  redirectUris: [],
  scopes: []
}

/** What was entered. Each scope is a checkbox with a name of its own; redirect URIs stand on a line each. */
export const enteredFields = (fields: Parameters): AppFields => ({
  kind: fields.get("kind") ?? "",
  name: fields.get("name") ?? "",
  purpose: fields.get("purpose") ?? "",
  website: fields.get("website") ?? "",
  logoUrl: fields.get("logoUrl") ?? null,
  redirectUris: (fields.get("redirectUris") ?? "").split(/[\r\n]+/).map((line) => line.trim()).filter((line) =>
    line !== ""
  ),
  scopes: catalogue.filter((scope) => fields.has(`scope:${scope}`))
})

export interface AppForm {
  readonly action: string
  readonly viewer: Viewer
  readonly values: AppFields
  readonly submit: string
  readonly problem?: BadRequest | Conflict | undefined
  /** Fields that the form carries along. */
  readonly hidden: Readonly<Record<string, string>>
  /** Whether the kind is still to be chosen. */
  readonly isNew: boolean
  /** Whether the scopes are chosen elsewhere. */
  readonly withoutScopes?: boolean
}

export const appForm = (
  { action, hidden, isNew, problem, submit, values, viewer, withoutScopes = false }: AppForm
): Html => {
  const faults = problem?.details ?? []
  const url = { type: "url", autocomplete: "url" } as const
  return html`${alert(problem?.message)}
<form method="post" action="${action}" novalidate>
${csrfField(viewer)}
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${
    field(
      { name: "name", label: "Name", value: values.name, hint: "Users read it when they are asked for consent." },
      faults
    )
  }
${
    area({
      name: "purpose",
      label: "Purpose",
      value: values.purpose,
      rows: 3,
      hint: "What the app does and why it needs what it asks for. The reviewer reads it."
    }, faults)
  }
${
    field(
      { ...url, name: "website", label: "Website", value: values.website, hint: "As in https://app.example" },
      faults
    )
  }
${
    field({
      ...url,
      name: "logoUrl",
      label: "Logo",
      value: values.logoUrl ?? "",
      required: false,
      hint: "The https address of a square picture. May be empty."
    }, faults)
  }
${isNew ? kindChoice(values.kind, faults) : nothing}
${
    area({
      name: "redirectUris",
      label: "Redirect URIs",
      value: values.redirectUris.join("\n"),
      rows: Math.max(3, values.redirectUris.length + 1),
      lines: values.redirectUris,
      hint:
        "One a line, at most 10. Users come back to exactly one of these: https, http on localhost, or for public apps a scheme of their own such as com.example.app:/callback."
    }, faults)
  }
${withoutScopes ? nothing : scopePicker(values.scopes, faults)}
<button>${submit}</button>
</form>`
}

interface Area {
  readonly name: string
  /** Where one page has two of the name. */
  readonly id?: string
  readonly label: string
  readonly value: string
  readonly rows: number
  readonly hint: string
  /** Of a list of redirect URIs: what stands on each line. */
  readonly lines?: ReadonlyArray<string>
}

/** A text of more than one line. */
export const area = (
  { hint, label, lines, name, id = name, rows, value }: Area,
  faults: ReadonlyArray<Fault>
): Html => {
  const wrong = lines === undefined
    ? faults.filter(({ path }) => path === name).map(({ message }) => `${label} ${message}.`)
    : perLine(lines, faults)
  return html`<label for="${id}">${label}</label>
<textarea id="${id}" name="${name}" rows="${rows}" required spellcheck="${
    lines === undefined
  }" aria-describedby="${id}-note"${wrong.length > 0 ? html` aria-invalid="true"` : nothing}>
${value}</textarea>
${
    wrong.length === 0
      ? html`<small id="${id}-note" class="muted">${hint}</small>`
      : html`<small id="${id}-note" class="error">${wrong.map((text) => html`<span>${text}</span>`)}</small>`
  }`
}

/** A fault of one line named with the line, because the box has no place beside it. */
const perLine = (lines: ReadonlyArray<string>, faults: ReadonlyArray<Fault>): ReadonlyArray<string> =>
  faults.flatMap(({ message, path }) => {
    if (path === "redirectUris") return [`The redirect URIs ${message}.`]
    const at = /^redirectUris\.(\d+)$/.exec(path)?.[1]
    if (at === undefined) return []
    const line = lines[Number(at)] ?? ""
    return [`Line ${Number(at) + 1}, ${shortened(line)}: ${message}.`]
  })

const shortened = (line: string): string => line.length > 60 ? `${line.slice(0, 60)}…` : line

const kindChoice = (kind: string, faults: ReadonlyArray<Fault>): Html => {
  const choice = (value: string, title: string, meaning: string) =>
    html`<label class="choice"><input type="radio" name="kind" value="${value}"${
      kind === value ? html` checked` : nothing
    }><span>${title} <small class="muted">${meaning}</small></span></label>`
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

/** All scopes to choose from. */
export const scopePicker = (chosen: ReadonlyArray<string>, faults: ReadonlyArray<Fault>): Html => {
  const fault = faults.find(({ path }) => path === "scopes")
  return html`<fieldset${fault === undefined ? nothing : html` aria-describedby="scopes-note"`}>
<legend>Scopes</legend>
<small class="muted">Choose only what the app needs: users see each of them.</small>
${fault === undefined ? nothing : html`<small id="scopes-note" class="error">The app ${fault.message}.</small>`}
${
    grouped(catalogue).map(({ level, reads, title, writes }) => {
      const some = [...reads, ...writes].some((scope) => chosen.includes(scope))
      return html`<details${level === "user" || some ? html` open` : nothing}>
<summary>${title}</summary>
<div class="scopes">
<fieldset><legend>See</legend>${reads.map((scope) => checkbox(scope, chosen))}</fieldset>
<fieldset><legend>Change</legend>${writes.map((scope) => checkbox(scope, chosen))}</fieldset>
</div>
</details>`
    })
  }
</fieldset>`
}

const checkbox = (scope: Scope, chosen: ReadonlyArray<string>): Html => {
  const { covers, title } = describe(scope)
  return html`<label class="choice"><input type="checkbox" name="scope:${scope}" value="on"${
    chosen.includes(scope) ? html` checked` : nothing
  } aria-labelledby="${scope}" aria-describedby="${scope}-note"><span><span id="${scope}">${title}</span> <small id="${scope}-note" class="muted">${covers} <code>${scope}</code></small></span></label>`
}
