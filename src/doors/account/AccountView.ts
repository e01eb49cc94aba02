import { minLength } from "../../core/accounts/local/NewPassword.ts"
import { weekDays } from "../../core/accounts/people/Account.ts"
import type { Language } from "../../foundation/messages/Language.ts"
import { preferred } from "../../foundation/messages/Languages.ts"
import { alert, csrfField, field, type SecretField, select } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { link, type Message, type PlainValues, strong, text } from "../../foundation/web/Message.ts"
import { noticeOf } from "../../foundation/web/Notice.ts"
import { area } from "../../foundation/web/TextArea.ts"
import { apiKeysSection, type ApiKeysView } from "./ApiKeysView.ts"
import { emailPath } from "./EmailChangeView.ts"
import type { RefusedForm } from "./RefusedForm.ts"
import { sessionsSection, type SessionsView } from "./SessionsView.ts"

export interface AccountView extends ApiKeysView, SessionsView {
  readonly isLocal: boolean
  /** Languages of the pages. */
  readonly languages: ReadonlyArray<Language>
  /** True if the user signs in with a password of this server, and changes it and the address here. */
  readonly hasPassword: boolean
  readonly notice: Phrase | undefined
}

export const accountBody = (view: AccountView): Html =>
  html`<h1>${text("account")}</h1>
${noticeOf(view.notice)}
<p>${text("account.signedInAs", { email: view.account.email, role: view.account.role, strong })}${
    view.hasPassword ? html` <a href="${emailPath}">${text("account.changeEmail")}</a>` : nothing
  }</p>
<ul>
<li>${text("account.myApps", { link: link("/settings/apps") })}</li>
<li>${text("account.connections", { link: link("/connections") })}</li>
</ul>
${view.isLocal ? profileForm(view) : html`<p>${text("account.keptElsewhere")}</p>`}
${view.hasPassword ? passwordForm(view) : nothing}
${sessionsSection(view)}
${apiKeysSection(view)}
${view.hasPassword ? html`<p><a href="/account/close">${text("account.close")}</a></p>` : nothing}`

/** Notice after a change of the password. */
export const passwordChanged = (areKeysRevoked: boolean, hasAccessEnded: boolean): Message<PlainValues> =>
  text("newPassword.changed", { keys: areKeysRevoked ? "yes" : "no", apps: hasAccessEnded ? "yes" : "no" })

const problemOf = ({ refused }: AccountView, form: RefusedForm["form"]) =>
  refused?.form === form ? refused.problem : undefined

const profileForm = (view: AccountView): Html => {
  const { account, viewer } = view
  const problem = problemOf(view, "profile")
  const value = (name: string, current: string) =>
    problem === undefined || view.refused?.entered === undefined ? current : view.refused.entered.get(name) ?? ""
  const faults = problem?.details
  return html`<section>
<h2>${text("profile")}</h2>
${alert(problem)}
<form method="post" action="/account/profile" novalidate>
${csrfField(viewer)}
${
    field(
      { name: "name", label: text("profile.name"), value: value("name", account.name), autocomplete: "name" },
      faults
    )
  }
${field({ name: "username", label: text("profile.username"), value: value("username", account.username) }, faults)}
${
    area({
      name: "bio",
      label: text("profile.bio"),
      value: value("bio", account.bio ?? ""),
      rows: 3,
      hint: text("profile.bio.hint", { most: 1000 }),
      required: false
    }, faults ?? [])
  }
${
    field({
      name: "timeZone",
      label: text("profile.timeZone"),
      value: value("timeZone", account.timeZone),
      hint: text("profile.timeZone.hint", { example: "Europe/Berlin" })
    }, faults)
  }
${
    select({
      name: "timeFormat",
      label: text("profile.timeFormat"),
      options: [12, 24].map((hours) => [String(hours), text("profile.hours", { hours })] as const),
      value: value("timeFormat", String(account.timeFormat))
    })
  }
${
    select({
      name: "weekStart",
      label: text("profile.weekStart"),
      options: weekDays.map((day) => [day, text(`profile.weekday.${day}`)] as const),
      value: value("weekStart", account.weekStart)
    })
  }
${languageChoice(view, value)}
<button>${text("profile.save")}</button>
</form>
</section>`
}

/** Value of the choice that leaves the language to the browser. */
export const ofBrowser = "browser"

const languageChoice = (
  { account: { locale }, languages }: AccountView,
  value: (name: string, current: string) => string
): Html =>
  languages.length === 1 ? nothing : select({
    name: "locale",
    label: text("profile.language"),
    options: [
      [ofBrowser, text("profile.languageOfBrowser")],
      ...languages.map(({ name, tag }) => [tag, name] as const)
    ],
    value: value("locale", locale === "" ? ofBrowser : preferred(languages, [locale]).tag)
  })

const passwordForm = (view: AccountView): Html => {
  const problem = problemOf(view, "password")
  const faults = problem?.details
  const entered = problem === undefined ? undefined : view.refused?.entered
  const box = (name: string, isChecked: boolean) =>
    html`<input type="checkbox" name="${name}"${entered?.has(name) ?? isChecked ? html` checked` : nothing}>`
  const password = (name: SecretField, label: Phrase, autocomplete: string, hint?: Phrase) =>
    field({ name, label, type: "password", autocomplete, ...(hint === undefined ? {} : { hint }) }, faults)
  return html`<section>
<h2>${text("newPassword.heading")}</h2>
${alert(problem)}
<form method="post" action="/account/password" novalidate>
${csrfField(view.viewer)}
${password("current", text("newPassword.current"), "current-password")}
${password("password", text("newPassword"), "new-password", text("newPassword.hint", { least: minLength }))}
${password("repeated", text("newPassword.again"), "new-password")}
${
    view.keys.length === 0
      ? nothing
      : html`<label class="choice">${box("keys", true)}<span>${
        text("newPassword.keys", { count: view.keys.length })
      }</span></label>`
  }
<label class="choice">${box("apps", false)}<span>${text("newPassword.apps")}</span></label>
<button>${text("newPassword.button")}</button>
</form>
</section>`
}
