import { minLength } from "../../core/accounts/local/NewPassword.ts"
import type { Fault } from "../../domain/Input.ts"
import { field } from "../../foundation/web/FormFields.ts"
import { type Html, html, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"

/** Fields of a form in which a new password is entered twice (`repetitionFaults`), by these labels. */
export const newPasswordFields = (
  labels: { readonly password: Phrase; readonly repeated: Phrase },
  faults: ReadonlyArray<Fault> | undefined
): Html =>
  html`${
    field(
      {
        name: "password",
        label: labels.password,
        type: "password",
        autocomplete: "new-password",
        hint: text("newPassword.hint", { least: minLength })
      },
      faults
    )
  }
${field({ name: "repeated", label: labels.repeated, type: "password", autocomplete: "new-password" }, faults)}`

/** Labels where an account is made. */
export const firstPassword = { password: text("newPassword.first"), repeated: text("newPassword.first.again") }
