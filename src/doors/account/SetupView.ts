import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import { brandName } from "../../foundation/web/BrandText.ts"
import { alert, emailField, field } from "../../foundation/web/FormFields.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { failurePage, page } from "../../foundation/web/Layout.ts"
import { newPasswordFields } from "./NewPasswordFields.ts"

interface SetupView {
  readonly token: string
  readonly email?: string
  readonly name?: string
  readonly problem?: BadRequest | Conflict
}

/** Form that makes the first administrator. */
export const setupPage = (view: SetupView) =>
  page({ title: html`Set up ${brandName}`, problem: view.problem, body: body(view) })

const body = ({ email, name, problem, token }: SetupView): Html =>
  html`<section class="narrow">
<h1>Set up ${brandName}</h1>
<p>This server has no administrator yet. The account that you create here reviews apps and appoints others. The link that
brought you here works once.</p>
${alert(problem)}
<form method="post" action="/setup" novalidate>
<input type="hidden" name="token" value="${token}">
${field({ name: "name", label: "Your name", value: name, autocomplete: "name" }, problem?.details)}
${emailField({ label: "E-mail address", value: email, autocomplete: "username" }, problem?.details)}
${newPasswordFields({ password: "Password", repeated: "The same password again" }, problem?.details)}
<button>Create the administrator</button>
</form>
</section>`

/** The page that follows. Its door stands above this one. */
export const whatNextPath = "/what-next"

/** `where` says where there is another link. */
export const unusablePage = (where: Html) =>
  failurePage({
    status: 410,
    title: "This link does not work any more",
    what: "A set-up link works once and for a limited time. This server has no administrator yet.",
    remedy: html`If you run this server, take a new link. ${where}`
  })

export const doneBeforePage = failurePage({
  status: 410,
  title: "This server is set up",
  what: "It has an administrator, so set-up links do not work any more.",
  remedy: "Administrators sign in like everybody else. Others are appointed with “slotkey accounts role”.",
  next: { href: whatNextPath, label: "What next" }
})

export const fromElsewherePage = failurePage({
  status: 403,
  title: "Not accepted",
  what: "Another site sent this form, so nothing was changed.",
  remedy: "Open the set-up link itself and fill in the form there."
})
