import type { Fault } from "../../domain/Input.ts"
import { type Html, html, nothing } from "./Html.ts"

export interface Field {
  readonly name: string
  readonly label: string
  readonly type?: "text" | "email" | "password" | "url"
  readonly value?: string | undefined
  readonly autocomplete?: string
  readonly hint?: string
  readonly required?: boolean
}

/** A labelled input with its fault or hint, tied together for screen readers. */
export const field = (
  { autocomplete = "off", hint, label, name, required = true, type = "text", value }: Field,
  faults: ReadonlyArray<Fault> = []
): Html => {
  const fault = faults.find(({ path }) => path === name)
  const note = fault === undefined ? hint : `${label} ${fault.message}.`
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${
    attributes({
      required,
      invalid: fault !== undefined,
      note: note === undefined ? undefined : `${name}-note`
    })
  }>
${
    note === undefined
      ? nothing
      : html`<small id="${name}-note" class="${fault === undefined ? "muted" : "error"}">${note}</small>`
  }`
}

/** A labelled choice among a few options. */
export const select = (
  { label, name, options, value }: {
    readonly name: string
    readonly label: string
    readonly options: ReadonlyArray<readonly [value: string, label: string]>
    readonly value: string
  }
): Html =>
  html`<label for="${name}">${label}</label>
<select id="${name}" name="${name}">
${
    options.map(([option, text]) =>
      html`<option value="${option}"${option === value ? html` selected` : nothing}>${text}</option>`
    )
  }
</select>`

/** The problem of a form as a whole; it has the focus when the page opens, so that it is seen and read out. */
export const alert = (text: string | undefined): Html =>
  text === undefined ? nothing : html`<p class="notice error" role="alert" tabindex="-1" autofocus>${text}</p>`

/** The CSRF token of the session, without which its forms are refused: no other site can know it. */
export const csrfField = ({ csrf }: { readonly csrf: string }): Html =>
  html`<input type="hidden" name="csrf" value="${csrf}">`

const attributes = (
  { invalid, note, required }: {
    readonly required: boolean
    readonly invalid: boolean
    readonly note: string | undefined
  }
): Html =>
  html`${required ? html` required` : nothing}${invalid ? html` aria-invalid="true"` : nothing}${
    note === undefined ? nothing : html` aria-describedby="${note}"`
  }`
