import type { DateTime } from "effect"
import type { LogoFailure } from "../../core/clients/logos/MissingLogos.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import type { Thread } from "../../core/clients/review/ReviewDesk.ts"
import type { OwnerMessage } from "../../core/clients/review/ReviewMessage.ts"
import type { Usage } from "../../core/grants/Usage.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { forReader, type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { code, english, link, strong, text } from "../../foundation/web/Message.ts"
import { notice, noticeOf } from "../../foundation/web/Notice.ts"
import type { Addresses } from "../oauth/ServerMetadata.ts"
import { differenceTable } from "../parts/ChangeDiffView.ts"
import { appPath, migrationPath } from "../parts/Paths.ts"
import { statusView } from "../parts/StatusView.ts"
import { type AppFields, appForm } from "./AppFormView.ts"
import { connect } from "./ConnectView.ts"
import { keptAddresses } from "./KeptAddressesView.ts"
import { refusedRequestsSection, type RefusedRequestsView } from "./RefusedRequestsView.ts"
import { credentials, type CredentialsView } from "./SecretView.ts"
import { ownerThread } from "./ThreadView.ts"

export interface AppView extends CredentialsView {
  readonly catalogue: Catalogue
  readonly usage: Usage
  readonly thread: Thread<OwnerMessage>
  readonly refusedRequests: RefusedRequestsView
  readonly lastRefusedAt: DateTime.Utc | undefined
  readonly addresses: Addresses
  readonly redirectSchemes: RedirectUri.Schemes
  readonly areLogosShown: boolean
  readonly logoFailures: ReadonlyArray<LogoFailure>
  /** Problem with a form of the page, which form it was, and for the app's form its values and its version. */
  readonly problem?: BadRequest | Conflict | undefined
  readonly form?: "edit" | "delete" | "secrets" | "review" | "answer"
  readonly entered?: AppFields
  readonly version?: number
  readonly answer?: string
}

export const appBody = (view: AppView): Html => {
  const { client } = view
  return html`<p><a href="/settings/apps">${text("apps")}</a></p>
<div class="heading"><h1>${client.name}</h1><p>${statusView(client)}</p></div>
<div class="with-aside">
${contents}
<div>
${noticeOf(view.visitor.notice)}
${alert(problemAt(view, "review"))}
${stateNotice(view)}
${
    ownerThread({
      id: client.id,
      visitor: view.visitor,
      thread: view.thread,
      problem: problemAt(view, "answer"),
      answer: view.answer ?? ""
    })
  }
${migrationNotice(client)}
${keptAddresses(view)}
${logoNotice(view)}
${overview(view)}
${credentials(view, alert(problemAt(view, "secrets")))}
${connect(view.catalogue, client, view.addresses, view.now)}
${refusedRequestsSection(view.visitor, client.id, view.refusedRequests)}
<section aria-labelledby="settings">
<h2 id="settings">${text("app.settings")}</h2>
${editNote(client)}
${editForm(view)}
</section>
${deletion(view)}
</div>
</div>`
}

const contents = html`<nav class="contents" aria-label="${text("app.contents")}"><ul>
<li><a href="#credentials">${text("credentials")}</a></li>
<li><a href="#connect">${text("connect")}</a></li>
<li><a href="#refused">${text("refusals")}</a></li>
<li><a href="#settings">${text("app.settings")}</a></li>
<li><a href="#deletion">${text("app.contents.delete")}</a></li>
</ul></nav>`

const overview = ({ client, lastRefusedAt, usage, visitor }: AppView): Html => {
  const figure = (name: Html, value: Html) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`
  const words = (phrase: Html) => html`<small>${phrase}</small>`
  const shown = (at: DateTime.Utc) => words(dateText(at, visitor.account))
  return html`<dl class="figures">
${
    figure(
      text("app.users"),
      usage.isComplete
        ? forReader(({ language }) => language.number(usage.users))
        : words(text("app.users.atLeast", { users: usage.users }))
    )
  }${
    usage.isComplete
      ? figure(
        text("app.authorized"),
        usage.authorizedAt === null
          ? words(text(usage.users === 0 ? "app.authorized.never" : "app.authorized.before"))
          : shown(usage.authorizedAt)
      )
      : nothing
  }${
    figure(text("app.refusal"), lastRefusedAt === undefined ? words(text("app.refusal.none")) : shown(lastRefusedAt))
  }${
    figure(text("app.kind"), words(text(client.legacy ? `app.kind.legacy.${client.kind}` : `apps.kind.${client.kind}`)))
  }</dl>`
}

const stateNotice = (view: AppView): Html => {
  const { change, id, rejectionReason, status, submittedAt } = view.client
  const { account } = view.visitor
  if (status === "pending") {
    return notice("note", html`<p>${text("app.pending", { since: dateText(submittedAt, account) })}</p>`)
  }
  if (status === "rejected") {
    return notice(
      "warning",
      html`<p>${text("app.rejected")}</p><blockquote>${rejectionReason}</blockquote>
<p>${text("app.rejected.remedy")}</p>
${action(view, `${appPath(id)}/resubmit`, text("app.resubmit"))}`
    )
  }
  return html`${
    status === "suspended"
      ? notice(
        "warning",
        html`<p>${text("app.suspended")}</p><blockquote>${rejectionReason}</blockquote>
<p>${text("app.suspended.remedy")}</p>`
      )
      : nothing
  }${
    change === null
      ? nothing
      : notice(
        change.isWaiting ? "note" : "warning",
        html`<p>${
          change.isWaiting
            ? text("app.changeWaiting", { since: dateText(change.submittedAt, account) })
            : text("app.changeRejected")
        }${status === "suspended" ? nothing : html` ${text("app.approvedWorks")}`}</p>
${change.isWaiting ? nothing : html`<blockquote>${change.rejectionReason}</blockquote>`}
${differenceTable(view.client, change)}
${
          action(
            view,
            `${appPath(id)}/withdraw`,
            text(change.isWaiting ? "app.withdrawChange" : "app.discardChange")
          )
        }`
      )
  }`
}

const migrationNotice = ({ id, legacy, migratedAt }: ManagedClient): Html =>
  legacy
    ? notice("warning", html`<p>${text("app.legacy", { link: link(migrationPath(id)) })}</p>`)
    : migratedAt === null
    ? nothing
    : html`<p class="muted">${text("app.migrated", { link: link(migrationPath(id)) })}</p>`

/** A logo that is missing although the app has the address of one, as an imported app has. */
const logoNotice = ({ areLogosShown, client, logoFailures }: AppView): Html => {
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
    ? html`<p class="muted">${text("app.reviewedChanges")}${
      client.status === "suspended" ? nothing : html` ${text("app.approvedWorks")}`
    } ${text("app.removals")}</p>`
    : nothing

const editForm = ({ areLogosShown, catalogue, client, entered, form, now, problem, version, visitor }: AppView): Html =>
  appForm({
    catalogue,
    held: client.change?.isWaiting ? [...client.scopes, ...client.change.scopes] : client.scopes,
    now,
    action: appPath(client.id),
    viewer: visitor.viewer,
    values: entered ?? {
      ...client,
      ...client.change,
      refreshGrace: client.kind === "public" ? undefined : client.refreshGrace
    },
    submit: text(client.status === "rejected" ? "app.saveAndResubmit" : "app.save"),
    problem: form === "edit" ? problem : undefined,
    hidden: { version: String(version ?? client.version) },
    logo: { areShown: areLogosShown, digest: (client.change ?? client).logoDigest },
    withoutScopes: client.legacy
  })

const deletion = (view: AppView): Html => {
  const { client, usage, visitor } = view
  return html`<section class="danger-zone" aria-labelledby="deletion">
<h2 id="deletion">${text("app.deletion")}</h2>
<p>${
    usage.isComplete
      ? text("app.deletion.consequences", { users: usage.users })
      : text("app.deletion.consequencesForMany", { users: usage.users })
  }</p>
${alert(problemAt(view, "delete"))}
<form method="post" action="${appPath(client.id)}/delete">
${csrfField(visitor.viewer)}
<label for="confirm">${text("app.deletion.confirm", { name: html`<bdi>${client.name}</bdi>`, strong })}</label>
<input id="confirm" name="confirm" required autocomplete="off">
<button class="danger">${text("app.deletion.button")}</button>
</form>
</section>`
}

const action = ({ visitor }: AppView, path: string, label: Phrase): Html =>
  html`<form method="post" action="${path}">${
    csrfField(visitor.viewer)
  }<button class="secondary">${label}</button></form>`

const problemAt = ({ form, problem }: AppView, at: AppView["form"]) => form === at ? problem : undefined
