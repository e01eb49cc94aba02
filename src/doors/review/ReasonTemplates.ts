import type { Parameters } from "../../domain/Parameters.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"

/** Reasons that come up again and again: each a message with a short name. */
const templates = ["purpose", "scopes", "website", "redirects", "name", "owner", "privacy", "misuse"] as const

/**
 * Choice of a reason in the reviewer's language, to stand beside a text of their own; `form` tells the forms of a page
 * apart. The option is the whole text, so that what is sent is what was read.
 */
export const reasonTemplate = (form: string): Html =>
  html`<label for="${form}-template">${text("review.reason.template")}</label>
<select id="${form}-template" name="template">
<option value="">${text("review.reason.none")}</option>
${
    templates.map((template) =>
      html`<option value="${text(`review.reason.${template}.text`)}">${text(`review.reason.${template}`)}</option>`
    )
  }</select>`

/** Reason of a form that has the choice, and below it the text of the field. */
export const reasonOf = (fields: Parameters, field = "reason"): string =>
  [fields.get("template"), fields.get(field)].filter((part) => part !== undefined).join("\n\n")
