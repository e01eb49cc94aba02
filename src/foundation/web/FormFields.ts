import type { Fault } from "../../domain/Input.ts"
import { faultText } from "./FaultText.ts"
import { Html, html, nothing, type Phrase } from "./Html.ts"
import { inEnglish, type Problem, problemText, text } from "./Message.ts"
import { focused, notice } from "./Notice.ts"

type Field =
  & CommonField
  & ({
    readonly name: string
    readonly type?: "text" | "email" | "url" | "date"
  } | {
    readonly name: SecretField
    readonly type: "password"
  })

interface CommonField {
  /** Set where a page has two inputs of the same name. */
  readonly id?: string
  readonly label: Phrase
  readonly value?: string | undefined
  readonly autocomplete?: string
  readonly hint?: Phrase
  readonly required?: boolean
  /** True of the one field of a page in which the cursor is. */
  readonly hasFocus?: boolean
}

/** A labelled input with its fault or hint, tied together for screen readers. */
export const field = (
  { autocomplete = "off", hasFocus = false, hint, label, name, id = name, required = true, type = "text", value }:
    Field,
  faults: ReadonlyArray<Fault> = []
): Html => {
  const fault = faults.find(({ path }) => path === name)
  const note = fault === undefined ? hint : faultText(label, fault)
  return html`<label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${
    required ? html` required` : nothing
  }${hasFocus ? html` autofocus` : nothing}${fault === undefined ? nothing : html` aria-invalid="true"`}${
    note === undefined ? nothing : html` aria-describedby="${id}-note"`
  }>
${
    note === undefined
      ? nothing
      : html`<small id="${id}-note" class="${fault === undefined ? "muted" : "error"}">${note}</small>`
  }`
}

/** Field of an e-mail address, with the name `email`. */
export const emailField = (about: CommonField, faults?: ReadonlyArray<Fault>): Html =>
  field({ ...about, name: "email", type: "email" }, faults)

/** A labelled choice among a few options. */
export const select = (
  { label, name, options, value }: {
    readonly name: string
    readonly label: Phrase
    readonly options: ReadonlyArray<readonly [value: string, label: Phrase]>
    readonly value: string
  }
): Html =>
  html`<label for="${name}">${label}</label>
<select id="${name}" name="${name}">
${
    options.map(([option, label]) =>
      html`<option value="${option}"${option === value ? html` selected` : nothing}>${label}</option>`
    )
  }
</select>`

/** Problem of a form as a whole. */
export const alert = (problem: Problem | Html | undefined): Html => {
  if (problem === undefined) return nothing
  if (problem instanceof Html) return notice("error", html`<p>${problem}</p>`)
  const said = html`<p>${problemText(problem)}</p>`
  return problem.code === notSent.code ? notice("note", said, html` role="alert"${focused}`) : notice("error", said)
}

/** Title of a page with so many errors: it is what a screen reader reads first. */
export const titleWithErrors = (count: number, title: Phrase): Html => text("form.errors", { count, title })

/** Problem of a form that comes back after a sign-in: nothing is wrong with what it holds. */
export const notSent = { code: "form_not_sent", message: inEnglish(text("error.form_not_sent")) }

/**
 * Hidden fields of every form of a session: its CSRF token, without which the form is refused, because no other site
 * can know it; and by what the form comes back to its user if the session has ended when it is sent.
 */
export const csrfField = ({ csrf, mark, page }: Origin): Html =>
  html`<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="${markField}" value="${mark}"><input type="hidden" name="${pageField}" value="${page}">`

/** Session and the page that a form belongs to. */
export interface Origin {
  readonly csrf: string
  /** User under a MAC, which tells who it was when the session is gone. */
  readonly mark: string
  /** Path of the page with its query. */
  readonly page: string
}

export const markField = "form_user"
export const pageField = "form_page"

/** Fields whose values are never kept, by their names: secrets, and what belongs to the session. */
export const secretFields = ["csrf", "current", "password", "repeated", "secret", "token"] as const

export type SecretField = typeof secretFields[number]
