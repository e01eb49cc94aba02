import type { DateTime } from "effect"
import type { RefusedRequest } from "../../core/clients/life/RefusedRequests.ts"
import type { LogoFailure } from "../../core/clients/logos/MissingLogos.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import { inWords, type Usage } from "../../core/grants/Usage.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { age, dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField, noticeOf } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Addresses } from "../oauth/ServerMetadata.ts"
import { differenceTable } from "../parts/ChangeDiffView.ts"
import { appPath, migrationPath } from "../parts/Paths.ts"
import { statusView } from "../parts/StatusView.ts"
import { type AppFields, appForm } from "./AppFormView.ts"
import { connect } from "./ConnectView.ts"
import { keptAddresses } from "./KeptAddressesView.ts"
import { refusedRequestsSection } from "./RefusedRequestsView.ts"
import { credentials, type CredentialsView } from "./SecretView.ts"

export interface AppView extends CredentialsView {
  readonly catalogue: Catalogue
  readonly usage: Usage
  readonly refusedRequests: ReadonlyArray<RefusedRequest>
  readonly addresses: Addresses
  readonly redirectSchemes: RedirectUri.Schemes
  readonly areLogosShown: boolean
  readonly logoFailures: ReadonlyArray<LogoFailure>
  /** Problem with a form of the page, which form it was, and for the app's form its values and its version. */
  readonly problem?: BadRequest | Conflict | undefined
  readonly form?: "edit" | "delete" | "secrets" | "review"
  readonly entered?: AppFields
  readonly version?: number
}

export const appBody = (view: AppView): Html => {
  const { client } = view
  return html`<p><a href="/settings/apps">My apps</a></p>
<div class="heading"><h1>${client.name}</h1><p>${statusView(client)}</p></div>
<div class="with-aside">
${contents}
<div>
${noticeOf(view.visitor.notice)}
${alert(problemAt(view, "review"))}
${stateNotice(view)}
${migrationNotice(client)}
${keptAddresses(view)}
${logoNotice(view)}
${overview(view)}
${credentials(view, alert(problemAt(view, "secrets")))}
${connect(view.catalogue, client, view.addresses, view.now)}
${refusedRequestsSection(view.visitor, view.refusedRequests)}
<section aria-labelledby="settings">
<h2 id="settings">Settings</h2>
${editNote(client)}
${editForm(view)}
</section>
${deletion(view)}
</div>
</div>`
}

const contents = html`<nav class="contents" aria-label="On this page"><ul>
<li><a href="#credentials">Credentials</a></li>
<li><a href="#connect">Connect</a></li>
<li><a href="#refused">Refused requests</a></li>
<li><a href="#settings">Settings</a></li>
<li><a href="#deletion">Delete</a></li>
</ul></nav>`

const overview = ({ client, now, refusedRequests, usage }: AppView): Html => {
  const [refused] = refusedRequests
  const ago = (at: DateTime.Utc) => html`<small>${age(at, now)} ago</small>`
  return html`<dl class="figures">
<div><dt>Users</dt><dd>${usage.isComplete ? usage.users : html`<small>${inWords(usage)}</small>`}</dd></div>
${
    usage.isComplete
      ? html`<div><dt>Last authorized</dt><dd>${
        usage.authorizedAt !== null
          ? ago(usage.authorizedAt)
          : html`<small>${usage.users === 0 ? "never" : "before this server"}</small>`
      }</dd></div>`
      : nothing
  }
<div><dt>Last refusal</dt><dd>${refused === undefined ? html`<small>none</small>` : ago(refused.at)}</dd></div>
<div><dt>Kind</dt><dd><small>${client.kind}${client.legacy ? ", from before scopes" : ""}</small></dd></div>
</dl>`
}

const stateNotice = (view: AppView): Html => {
  const { change, id, rejectionReason, status, submittedAt } = view.client
  const { account } = view.visitor
  if (status === "pending") {
    return html`<p class="notice">It has been waiting for review since ${
      dateText(submittedAt, account)
    } and cannot be used before it is approved.</p>`
  }
  if (status === "rejected") {
    return html`<div class="notice"><p>An administrator rejected it:</p><blockquote>${rejectionReason}</blockquote>
<p>Change what needs changing below and save: that submits it again. Or submit it as it is:</p>
${action(view, `${appPath(id)}/resubmit`, "Submit again")}</div>`
  }
  return html`${
    status === "suspended"
      ? html`<div class="notice"><p>An administrator suspended it. It cannot be used, and its tokens do not work:</p><blockquote>${rejectionReason}</blockquote>
<p>It works again when an administrator resumes it.</p></div>`
      : nothing
  }${
    change === null
      ? nothing
      : html`<div class="notice">
<p>${
        change.rejectionReason === null
          ? html`A change waits for review since ${dateText(change.submittedAt, account)}.${
            status === "suspended" ? "" : " The approved version keeps working meanwhile."
          }`
          : html`A change was refused${status === "suspended" ? "" : "; the approved version keeps working"}:`
      }</p>
${change.rejectionReason === null ? nothing : html`<blockquote>${change.rejectionReason}</blockquote>`}
${differenceTable(view.client, change)}
${
        action(
          view,
          `${appPath(id)}/withdraw`,
          change.rejectionReason === null ? "Take the change back" : "Discard the change"
        )
      }
</div>`
  }`
}

const migrationNotice = ({ id, legacy, migratedAt }: ManagedClient): Html =>
  legacy
    ? html`<p class="notice">This app is from before scopes: its access tokens reach all that their users may reach, unless the authorization URL names scopes. <a href="${
      migrationPath(id)
    }">Move it to scopes</a></p>`
    : migratedAt === null
    ? nothing
    : html`<p class="muted">This app is from before scopes and was moved to them. <a href="${
      migrationPath(id)
    }">How that went</a></p>`

/** A logo that is missing although the app has the address of one, as an imported app has. */
const logoNotice = ({ areLogosShown, client, logoFailures }: AppView): Html => {
  const missing = [client, ...(client.change?.isWaiting ? [client.change] : [])].find(({ logoDigest, logoUrl }) =>
    logoUrl !== null && logoDigest === null
  )
  if (missing === undefined || !areLogosShown) return nothing
  const failure = logoFailures.find(({ logoUrl }) => logoUrl === missing.logoUrl)
  return failure === undefined
    ? html`<p class="notice">The logo has not been fetched yet. Users see the first letter of the name meanwhile.</p>`
    : html`<div class="notice"><p>There is no logo: the picture at <code>${failure.logoUrl}</code> ${failure.reason}.</p>
<p>${
      failure.isTriedAgain
        ? "It will be tried again by itself."
        : "It is not tried again by itself."
    } Or save another address <a href="#settings">below</a>.</p></div>`
}

const editNote = (client: ManagedClient): Html =>
  client.status === "approved" || client.status === "suspended"
    ? html`<p class="muted">More scopes or redirect URIs, and another name, website or logo are reviewed first${
      client.status === "suspended" ? "" : ", while the approved version keeps working"
    }. What you remove ends at once.</p>`
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
    submit: client.status === "rejected" ? "Save and submit again" : "Save",
    problem: form === "edit" ? problem : undefined,
    hidden: { version: String(version ?? client.version) },
    isNew: false,
    logo: { areShown: areLogosShown, digest: (client.change ?? client).logoDigest },
    withoutScopes: client.legacy
  })

const deletion = (view: AppView): Html =>
  html`<section class="danger-zone" aria-labelledby="deletion">
<h2 id="deletion">Delete this app</h2>
<p>Its secrets stop working, ${
    view.usage.users === 0 ?
      "" :
      `${view.usage.users === 1 ? "the user" : inWords(view.usage)} who authorized it ${
        view.usage.users === 1 ? "is" : "are"
      } disconnected, `
  }and it cannot be brought back.</p>
${alert(problemAt(view, "delete"))}
<form method="post" action="${appPath(view.client.id)}/delete">
${csrfField(view.visitor.viewer)}
<label for="confirm">Type the name of the app, <strong>${view.client.name}</strong>, to confirm</label>
<input id="confirm" name="confirm" required autocomplete="off">
<button class="danger">Delete the app</button>
</form>
</section>`

const action = ({ visitor }: AppView, path: string, label: string): Html =>
  html`<form method="post" action="${path}">${
    csrfField(visitor.viewer)
  }<button class="secondary">${label}</button></form>`

const problemAt = ({ form, problem }: AppView, at: AppView["form"]) => form === at ? problem : undefined
