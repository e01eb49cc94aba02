import { minLength } from "../../core/accounts/local/NewPassword.ts"
import type { Fault } from "../../domain/Input.ts"
import { field } from "../../foundation/web/FormFields.ts"
import { type Html, html } from "../../foundation/web/Html.ts"

/** Fields of a form in which a new password is entered twice (`repetitionFaults`), by these labels. */
export const newPasswordFields = (
  labels: { readonly password: string; readonly repeated: string },
  faults: ReadonlyArray<Fault> | undefined
): Html =>
  html`${
    field(
      {
        name: "password",
        label: labels.password,
        type: "password",
        autocomplete: "new-password",
        hint: `At least ${minLength} characters; a few words in a row are fine.`
      },
      faults
    )
  }
${field({ name: "repeated", label: labels.repeated, type: "password", autocomplete: "new-password" }, faults)}`
