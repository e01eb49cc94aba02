import { minLength } from "../../core/accounts/local/NewPassword.ts"
import { roleLabels, weekDays } from "../../core/accounts/people/Account.ts"
import type { Language } from "../../foundation/messages/Language.ts"
import { preferred } from "../../foundation/messages/Languages.ts"
import { alert, csrfField, field, noticeOf, type SecretField, select } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
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
  html`<h1>Account</h1>
${noticeOf(view.notice)}
<p>Signed in as <strong>${view.account.email}</strong>${
    view.account.role === "user" ? "" : `, ${roleLabels[view.account.role]}`
  }.${view.hasPassword ? html` <a href="${emailPath}">Change the address</a>` : nothing}</p>
<ul>
<li><a href="/settings/apps">My apps</a>: register apps and manage their secrets</li>
<li><a href="/connections">Connected apps</a>: see and end what apps may do for you</li>
</ul>
${view.isLocal ? profileForm(view) : html`<p>Your profile and your password are kept by the platform.</p>`}
${view.hasPassword ? passwordForm(view) : nothing}
${sessionsSection(view)}
${apiKeysSection(view)}
${view.hasPassword ? html`<p><a href="/account/close">Close the account</a></p>` : nothing}`

/** Notice after a change of the password. */
export const passwordChanged = (areKeysRevoked: boolean, areAppsDisconnected = false): string =>
  `Your password is changed${areKeysRevoked ? ", your API keys are revoked" : ""}${
    areAppsDisconnected ? ", your apps are disconnected" : ""
  }, and you were signed out everywhere else.`

const problemOf = ({ refused }: AccountView, form: RefusedForm["form"]) =>
  refused?.form === form ? refused.problem : undefined

const profileForm = (view: AccountView): Html => {
  const { account, viewer } = view
  const problem = problemOf(view, "profile")
  const value = (name: string, current: string) =>
    problem === undefined || view.refused?.entered === undefined ? current : view.refused.entered.get(name) ?? ""
  const faults = problem?.details
  return html`<section>
<h2>Profile</h2>
${alert(problem)}
<form method="post" action="/account/profile" novalidate>
${csrfField(viewer)}
${field({ name: "name", label: "Name", value: value("name", account.name), autocomplete: "name" }, faults)}
${field({ name: "username", label: "User name", value: value("username", account.username) }, faults)}
${
    area({
      name: "bio",
      label: "About you",
      value: value("bio", account.bio ?? ""),
      rows: 3,
      hint: "At most 1,000 characters. May be empty.",
      required: false
    }, faults ?? [])
  }
${
    field({
      name: "timeZone",
      label: "Time zone",
      value: value("timeZone", account.timeZone),
      hint: "As in Europe/Berlin"
    }, faults)
  }
${
    select({
      name: "timeFormat",
      label: "Time format",
      options: [["12", "12 hours"], ["24", "24 hours"]],
      value: value("timeFormat", String(account.timeFormat))
    })
  }
${
    select({
      name: "weekStart",
      label: "The week starts on",
      options: weekDays.map((day) => [day, day] as const),
      value: value("weekStart", account.weekStart)
    })
  }
${languageChoice(view, value)}
<button>Save the profile</button>
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
  const password = (name: SecretField, label: string, autocomplete: string, hint?: string) =>
    field({ name, label, type: "password", autocomplete, ...(hint === undefined ? {} : { hint }) }, faults)
  return html`<section>
<h2>Password</h2>
${alert(problem)}
<form method="post" action="/account/password" novalidate>
${csrfField(view.viewer)}
${password("current", "Your current password", "current-password")}
${password("password", "The new password", "new-password", `At least ${minLength} characters.`)}
${password("repeated", "The new password again", "new-password")}
${
    view.keys.length === 0
      ? nothing
      : html`<label>${box("keys", true)} Revoke my API keys (${view.keys.length}), too</label>`
  }
<label>${box("apps", false)} Disconnect all apps that act for me, too</label>
<button>Change the password</button>
</form>
</section>`
}
