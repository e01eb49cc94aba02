import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import { alert, emailField, field } from "../../foundation/web/FormFields.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { inSameLanguage } from "../../foundation/web/LanguageChoice.ts"
import { failurePage, page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { firstPassword, newPasswordFields } from "./NewPasswordFields.ts"

interface SetupView {
  readonly token: string
  readonly email?: string
  readonly name?: string
  readonly problem?: BadRequest | Conflict
}

/** Form that makes the first administrator. */
export const setupPage = (view: SetupView) => page({ title: text("setup"), problem: view.problem, body: body(view) })

const body = ({ email, name, problem, token }: SetupView): Html =>
  html`<section class="narrow">
<h1>${text("setup")}</h1>
<p>${text("setup.why")}</p>
${alert(problem)}
<form method="post" action="${inSameLanguage("/setup")}" novalidate>
<input type="hidden" name="token" value="${token}">
${field({ name: "name", label: text("setup.name"), value: name, autocomplete: "name" }, problem?.details)}
${emailField({ label: text("setup.email"), value: email, autocomplete: "username" }, problem?.details)}
${newPasswordFields(firstPassword, problem?.details)}
<button>${text("setup.button")}</button>
</form>
</section>`

/** The page that follows. Its door stands above this one. */
export const whatNextPath = "/what-next"

/** `where` says where there is another link. */
export const unusablePage = (where: Html) =>
  failurePage({
    status: 410,
    title: text("mailedLink.unusable"),
    what: text("setup.unusable.what"),
    remedy: text("setup.unusable.remedy", { where })
  })

export const doneBeforePage = failurePage({
  status: 410,
  title: text("setup.doneBefore"),
  what: text("setup.doneBefore.what"),
  remedy: text("setup.doneBefore.remedy", { command: html`<code>slotkey accounts role</code>` }),
  next: { href: whatNextPath, label: text("setup.doneBefore.next") }
})

export const fromElsewherePage = failurePage({
  status: 403,
  title: text("failure.notAccepted"),
  what: text("mailedLink.fromElsewhere.what"),
  remedy: text("setup.fromElsewhere.remedy")
})
