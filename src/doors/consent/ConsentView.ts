import { Duration, Option } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import type { Client } from "../../core/clients/records/Client.ts"
import * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import type { Question } from "../../core/consent/Consent.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import type { AppConfig } from "../../foundation/config/AppConfig.ts"
import { durationText } from "../../foundation/web/DateText.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { page } from "../../foundation/web/Layout.ts"
import { appHead } from "../parts/AppHead.ts"
import { scopeList } from "../parts/ScopeList.ts"
import type { Visitor } from "../session/PageSession.ts"

interface ConsentPageOptions {
  readonly catalogue: Catalogue
  readonly client: Client
  /** Owner of the app, if they still have an account. */
  readonly owner: Option.Option<Account>
  readonly lifetimes: GrantLifetimes
  readonly question: Question
  readonly visitor: Visitor
  /** Path of this page, to return to with another account. */
  readonly path: string
}

type GrantLifetimes = Pick<AppConfig["Service"], "grantIdleLifetime" | "grantLifetime">

export const decisionPath = "/auth/oauth2/decision"
export const switchAccountPath = "/auth/oauth2/switch-account"

/** Asks the user to allow or deny what the app requests. */
export const consentPage = (options: ConsentPageOptions) => {
  const { client, question } = options
  return page({
    title: `Allow ${client.name}?`,
    body: body(options),
    formTargets: formTargets(question.request.redirectUri)
  })
}

const body = ({ catalogue, client, lifetimes, owner, path, question, visitor }: ConsentPageOptions): Html => {
  const { grants, id, request } = question
  const { account, viewer } = visitor
  const isNew = (scope: ScopeName) =>
    grants.length > 0 && !grants.some((grant) => catalogue.covers(grant.scopes, scope))
  return html`<article class="consent">
${
    appHead(
      client,
      html`<h1><span class="app-name">${client.name}</span> wants access to your account</h1>${developer(owner)}`
    )
  }
<form class="who" method="post" action="${switchAccountPath}">
${csrfField(viewer)}
<input type="hidden" name="return_to" value="${path}">
<p><span class="muted">Signed in as</span> <strong>${account.name}</strong> <span class="muted">${account.email}</span></p>
<button class="link">Use another account</button>
</form>
${priorConsent(client, question, isNew)}
${scopeList(catalogue, request.scopes, (scope) => isNew(scope) ? html` <span class="badge">New</span>` : nothing)}
<form class="decision" method="post" action="${decisionPath}">
${csrfField(viewer)}
<input type="hidden" name="request" value="${id}">
<p class="muted">Whatever you choose, you go back to ${destination(request.redirectUri)}.</p>
<div class="choices">
<button name="decision" value="deny" class="quiet">Deny</button>
<button name="decision" value="allow">Allow</button>
</div>
</form>
<p class="muted">Access lasts until you disconnect the app under <a href="/connections">Connected apps</a>. It ends by itself ${
    end(lifetimes)
  }.</p>
</article>`
}

/**
 * Developer behind the app. The identity source of a platform may fill a missing name with an id or an e-mail address,
 * which users of the app must not see.
 */
const developer = (owner: Option.Option<Account>): Html => {
  const { id, name } = Option.getOrElse(owner, () => ({ id: "", name: "" }))
  return name.trim() === "" || name === id || name.includes("@")
    ? nothing
    : html`<div class="muted">Developer: <strong><bdi>${name}</bdi></strong></div>`
}

/** Conditions under which a grant of this consent ends without anyone ending it. */
const end = ({ grantIdleLifetime, grantLifetime }: GrantLifetimes): string => {
  const latest = `after ${durationText(grantLifetime)}`
  return Duration.isLessThan(grantIdleLifetime, grantLifetime)
    ? `when the app has not used it for ${durationText(grantIdleLifetime)}, and ${latest} at the latest`
    : latest
}

/** Notice about what the user allowed the app before. */
const priorConsent = (client: Client, { grants, request }: Question, isNew: (scope: ScopeName) => boolean): Html => {
  if (grants.length === 0) return nothing
  const asksMore = request.scopes === null
    ? grants.every(({ scopes }) => scopes !== null)
    : request.scopes.some(isNew)
  if (asksMore) {
    return html`<p class="notice">${client.name} has access to your account already and now asks for more.${
      request.scopes === null ? "" : " What is new is marked."
    }</p>`
  }
  return html`<p class="notice">You allowed all of this before.${
    client.kind === "public" ? " An app on a device cannot prove who it is, so you are asked each time." : ""
  }</p>`
}

const destination = (redirectUri: string): Html => {
  const { host, protocol } = new URL(redirectUri)
  if (RedirectUri.isLoopback(redirectUri)) return html`a program on this computer, at <strong>${host}</strong>`
  return protocol === "https:" || protocol === "http:"
    ? html`<strong>${host}</strong>`
    : html`the app on this device that opens <strong>${protocol}</strong>`
}

/**
 * `form-action` sources that let a form on our page lead to the app's redirect URI. Chromium applies `form-action` to
 * every redirect that follows a form, and blocks silently. The app's callback may redirect in turn to any https page,
 * so `https:` is among them. CSP has no sources for IPv6 addresses, so the scheme stands for one.
 */
const formTargets = (redirectUri: string): ReadonlyArray<string> => {
  const { hostname, origin, protocol } = new URL(redirectUri)
  if (protocol !== "https:" && protocol !== "http:") return [protocol]
  return [hostname.startsWith("[") ? protocol : origin, "https:"]
}
