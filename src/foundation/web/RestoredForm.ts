import { Conflict } from "../../domain/ApiError.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { markField, notSent, pageField, secretFields } from "./FormFields.ts"
import { type Html, html } from "./Html.ts"
import { text } from "./Message.ts"
import { focused, notice } from "./Notice.ts"

/** A form that was sent when its session had ended, on the page that its user comes back to after a sign-in. */
export interface RestoredForm {
  /** Path that the form is sent to. */
  readonly action: string
  readonly fields: Parameters
}

/** Fields of a sent form that may be kept: no secret, and nothing of the session that it belonged to. */
export const keptFields = (fields: Parameters): Parameters =>
  new Map([...fields].filter(([name]) => !neverKept.has(name)))

const neverKept: ReadonlySet<string> = new Set([markField, pageField, ...secretFields])

/** Shows the form with this action, if it comes back, as after a mistake: with a problem and what was `entered`. */
export const restoredForm = <A extends object>(
  restored: RestoredForm | undefined,
  action: string,
  entered: (fields: Parameters) => A
): Partial<A & { readonly problem: Conflict }> =>
  restored?.action === action ? { ...entered(restored.fields), problem: formNotSent } : {}

/** Problem of a form that comes back. */
export const formNotSent = new Conflict(notSent)

/** Notice of a page that cannot show the form: nothing that a person has written is lost with it. */
export const notSentNotice = ({ fields }: RestoredForm): Html => {
  // The values of one word are ids, versions and choices.
  const texts = [...fields.values()].filter((value) => /\s/.test(value))
  return notice(
    "note",
    html`<p>${text(texts.length === 0 ? "form.notSent" : "form.notSentWithTexts")}</p>${
      texts.map((written) => html`<blockquote class="lines">${written}</blockquote>`)
    }`,
    html` role="status"${focused}`
  )
}
