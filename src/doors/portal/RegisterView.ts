import { type DateTime, type Duration, Option } from "effect"
import type * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Fault } from "../../domain/Input.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { usualReviewText } from "../parts/WaitingView.ts"
import { addressFields, mostAddresses } from "./AddressFieldsView.ts"
import { type AppFields, appInputs, choiceOf } from "./AppFormView.ts"
import { type Step, stepNames, steps } from "./RegisterSteps.ts"

export interface RegisterView {
  readonly step: Step
  readonly catalogue: Catalogue
  readonly viewer: Viewer
  readonly values: AppFields
  readonly areLogosShown: boolean
  readonly redirectSchemes: RedirectUri.Schemes
  readonly usualReview: Option.Option<Duration.Duration>
  readonly now: DateTime.Utc
  /** Key of this registration: sent twice, it registers one app. */
  readonly draft: string
  /** Shows an empty field for one more redirect URI. */
  readonly oneMore: boolean
  readonly search: string
  readonly problem?: BadRequest | Conflict
}

/** A page of the registration. Its last form registers the app; the others keep what was entered, and go on. */
export const registerBody = (view: RegisterView): Html => {
  const { draft, problem, step, viewer } = view
  const at = stepNames.indexOf(step)
  const isLast = at === stepNames.length - 1
  const { path, title } = steps[step]
  return html`<p><a href="/settings/apps">${text("apps")}</a></p>
<h1>${title}</h1>
<p class="muted">${text("register.step", { step: at + 1, steps: stepNames.length })}</p>
${alert(problem)}
<form method="post" action="${isLast ? "/settings/apps" : path}" novalidate>
${csrfField(viewer)}
<input type="hidden" name="draft" value="${draft}">
${inputs[step](view)}
<p class="actions">
<button>${text(isLast ? "register.submit" : "register.next")}</button>
${
    step === "where" && view.values.redirectUris.length < mostAddresses
      ? html`<button name="go" value="more" class="secondary">${text("register.more")}</button>`
      : nothing
  }
${at === 0 ? nothing : button("back", path)}
${button("later", path)}
</p>
</form>`
}

const button = (go: "back" | "later", path: string): Html =>
  html`<button name="go" value="${go}" formaction="${path}" class="secondary">${
    text(go === "back" ? "register.back" : "register.later")
  }</button>`

const inputs: Readonly<Record<Step, (view: RegisterView) => Html>> = {
  what: (view) => {
    const fields = appFields(view)
    return html`${steps.what.fields.map((name) => html`${fields[name]}\n`)}`
  },
  where: ({ oneMore, problem, redirectSchemes, values }) => {
    const faults = problem?.details ?? []
    return html`${kindChoice(values.kind, faults)}
${addressFields({ addresses: values.redirectUris, oneMore, faults, redirectSchemes })}`
  },
  may: (view) => {
    const { usualReview, values } = view
    return html`${appFields(view).scopes}
<h2>${text("register.then")}</h2>
<ul>
<li>${text("register.then.review")}${
      Option.match(usualReview, { onNone: () => nothing, onSome: (time) => html` ${usualReviewText(time)}` })
    }</li>
${values.kind === "confidential" ? html`<li>${text("register.then.secret")}</li>\n` : nothing}</ul>`
  }
}

const appFields = ({ areLogosShown, catalogue, now, problem, search, values }: RegisterView) =>
  appInputs({
    catalogue,
    values,
    held: [],
    now,
    problem,
    logo: { areShown: areLogosShown, digest: null },
    search: { text: search, action: steps.may.path }
  })

const kindChoice = (kind: string, faults: ReadonlyArray<Fault>): Html => {
  const choice = choiceOf("kind", kind)
  return html`<fieldset>
<legend class="visually-hidden">${text("appForm.kind")}</legend>
${choice("confidential", text("appForm.kind.confidential"), text("appForm.kind.confidential.meaning"))}
${choice("public", text("appForm.kind.public"), text("appForm.kind.public.meaning"))}
${
    faults.some(({ path }) => path === "kind")
      ? html`<small class="error">${text("appForm.kind.none")}</small>`
      : html`<small class="muted">${text("register.kind")}</small>`
  }
</fieldset>`
}
