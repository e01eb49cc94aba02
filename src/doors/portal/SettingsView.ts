import { type DateTime, Struct } from "effect"
import type { LogoFailure } from "../../core/clients/logos/MissingLogos.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import type { Usage } from "../../core/grants/Usage.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { code, english, link, strong, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { appPath, ownersPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"
import { type AppFields, appInputs } from "./AppFormView.ts"
import type { Problem } from "./AppRoutes.ts"
import { eventsLink } from "./EventsView.ts"
import { keptAddresses, keptOf } from "./KeptAddressesView.ts"

export interface SettingsView {
  readonly catalogue: Catalogue
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly usage: Usage
  readonly mayDelete: boolean
  readonly now: DateTime.Utc
  readonly redirectSchemes: RedirectUri.Schemes
  readonly areLogosShown: boolean
  readonly logoFailures: ReadonlyArray<LogoFailure>
  /** Problem with a form of the page, which form it was, and for the app's form its values and its version. */
  readonly problem?: Problem | undefined
  readonly form?: "edit" | "delete"
  readonly entered?: AppFields
  readonly version?: number
}

export const settingsBody = (view: SettingsView): Html =>
  html`${keptAddresses(view)}
${logoNotice(view)}
<section aria-labelledby="settings">
<h2 id="settings">${text("app.settings")}</h2>
${editNote(view.client)}
${editForm(view)}
</section>
${ownersLink(view.client.id)}
${eventsLink(view.client.id)}
${view.mayDelete ? deletion(view) : nothing}`

const ownersLink = (id: string): Html => html`<p>${text("owners.link", { link: link(ownersPath(id)) })}</p>`

/** A logo that is missing although the app has the address of one, as an imported app has. */
const logoNotice = ({ areLogosShown, client, logoFailures }: SettingsView): Html => {
  const missing = [client, ...(client.change?.isWaiting ? [client.change] : [])].find(({ logoDigest, logoUrl }) =>
    logoUrl !== null && logoDigest === null
  )
  if (missing === undefined || !areLogosShown) return nothing
  const failure = logoFailures.find(({ logoUrl }) => logoUrl === missing.logoUrl)
  return failure === undefined
    ? notice("note", html`<p>${text("app.logo.notYet")}</p>`)
    : notice(
      "warning",
      html`<p>${text("app.logo.failed", { address: failure.logoUrl, code, reason: english(failure.reason) })}</p>
<p>${text(failure.isTriedAgain ? "app.logo.triedAgain" : "app.logo.notTriedAgain", { link: link("#settings") })}</p>`
    )
}

const editNote = (client: ManagedClient): Html =>
  client.status === "approved" || client.status === "suspended"
    ? html`<p class="muted">${text("appSettings.reviewed")}${
      client.status === "suspended" ? nothing : html` ${text("app.approvedWorks")}`
    }</p>`
    : nothing

const editForm = (view: SettingsView): Html => {
  const { areLogosShown, catalogue, client, entered, now, version, visitor } = view
  const problem = view.form === "edit" ? view.problem : undefined
  const inputs = appInputs({
    catalogue,
    now,
    values: entered ?? {
      ...client,
      ...client.change,
      refreshGrace: client.kind === "public" ? undefined : client.refreshGrace
    },
    problem,
    held: [],
    logo: { areShown: areLogosShown, digest: (client.change ?? client).logoDigest },
    withoutScopes: true
  })
  // The notice of addresses leads into the third part, which the browser opens then.
  const hasKept = keptOf(view).length > 0
  const isAtFault = (part: typeof parts[number]) =>
    problem?.details?.some(({ path }) => fieldsIn(part).some((field) => field === path.split(".")[0])) ?? false
  return html`${alert(problem)}
<form method="post" action="${appPath(client.id)}" novalidate>
${csrfField(visitor.viewer)}
<input type="hidden" name="version" value="${version ?? client.version}">
${
    parts.map((part, at) =>
      html`<details${(at === 0 && !hasKept) || isAtFault(part) ? html` open` : nothing}><summary>${
        text(`appSettings.${part}`)
      }</summary><div id="${part}">
${fieldsIn(part).map((field) => html`${inputs[field]}\n`)}</div></details>
`
    )
  }<button>${text(client.status === "rejected" ? "app.saveAndResubmit" : "app.save")}</button>
</form>`
}

/** Parts of the form; all but the first are folded, as nothing in them changes often. */
const parts = ["what", "more", "where"] as const

/** Part in which each field stands, in the order of the form; scopes have a form of their own. */
const partOf: Readonly<Record<Exclude<keyof AppFields, "kind" | "scopes" | "optionalScopes">, typeof parts[number]>> = {
  name: "what",
  tagline: "what",
  purpose: "what",
  website: "more",
  logoUrl: "more",
  privacyUrl: "more",
  termsUrl: "more",
  contact: "more",
  redirectUris: "where",
  refreshGrace: "where"
}

const fieldsIn = (part: typeof parts[number]) => Struct.keys(partOf).filter((field) => partOf[field] === part)

const deletion = ({ client, form, problem, usage, visitor }: SettingsView): Html =>
  html`<section class="danger-zone" aria-labelledby="deletion">
<h2 id="deletion">${text("app.deletion")}</h2>
<p>${
    usage.isComplete
      ? text("app.deletion.consequences", { users: usage.users })
      : text("app.deletion.consequencesForMany", { users: usage.users })
  }</p>
${alert(form === "delete" ? problem : undefined)}
<form method="post" action="${appPath(client.id)}/delete">
${csrfField(visitor.viewer)}
<label for="confirm">${text("app.deletion.confirm", { name: html`<bdi>${client.name}</bdi>`, strong })}</label>
<input id="confirm" name="confirm" required autocomplete="off">
<button class="danger">${text("app.deletion.button")}</button>
</form>
</section>`
