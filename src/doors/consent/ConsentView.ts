import { Duration, Option } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import type { Client } from "../../core/clients/records/Client.ts"
import * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import type { Choice } from "../../core/consent/Choice.ts"
import type { Question } from "../../core/consent/Consent.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import type { AppConfig } from "../../foundation/config/AppConfig.ts"
import { durationText } from "../../foundation/web/DateText.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { page } from "../../foundation/web/Layout.ts"
import { link, muted, strong, text } from "../../foundation/web/Message.ts"
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
  /** Choice of the form that comes back, because nothing was ticked. */
  readonly faulty?: FaultyChoice | undefined
}

/** What is kept of a choice that gave nothing. */
export type FaultyChoice = Pick<Choice, "end">

type GrantLifetimes = Pick<AppConfig["Service"], "grantIdleLifetime" | "grantLifetime">

export const decisionPath = "/auth/oauth2/decision"
export const switchAccountPath = "/auth/oauth2/switch-account"

/** Asks the user to allow or deny what the app requests. */
export const consentPage = (options: ConsentPageOptions) => {
  const { client, question } = options
  return page({
    title: text("consent.title", { app: client.name }),
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
      html`<h1>${text("consent.heading", { app: html`<span class="app-name">${client.name}</span>` })}</h1>${
        developer(owner)
      }`
    )
  }
<form class="who" method="post" action="${switchAccountPath}">
${csrfField(viewer)}
<input type="hidden" name="return_to" value="${path}">
<p>${text("consent.signedInAs", { name: account.name, email: account.email, strong, muted })}</p>
<button class="link">${text("signIn.another")}</button>
</form>
${priorConsent(client, question, isNew)}
${
    scopeList(catalogue, request.scopes, (scope) =>
      isNew(scope) ? html` <span class="badge">${text("consent.new")}</span>` : nothing)
  }
<form class="decision" method="post" action="${decisionPath}">
${csrfField(viewer)}
<input type="hidden" name="request" value="${id}">
<p class="muted">${destination(request.redirectUri)}</p>
<div class="choices">
<button name="decision" value="deny" class="quiet">${text("consent.deny")}</button>
<button name="decision" value="allow">${text("consent.allow")}</button>
</div>
</form>
<p class="muted">${end(lifetimes)}</p>
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
    : html`<div class="muted">${text("consent.developer", { name: html`<strong><bdi>${name}</bdi></strong>` })}</div>`
}

/** Conditions under which a grant of this consent ends. */
const end = ({ grantIdleLifetime, grantLifetime }: GrantLifetimes): Html => {
  const connections = link("/connections")
  const lifetime = durationText(grantLifetime)
  return Duration.isLessThan(grantIdleLifetime, grantLifetime)
    ? text("consent.endsUnused", { connections, lifetime, unused: durationText(grantIdleLifetime) })
    : text("consent.ends", { connections, lifetime })
}

/** Notice about what the user allowed the app before. */
const priorConsent = (client: Client, { grants, request }: Question, isNew: (scope: ScopeName) => boolean): Html => {
  if (grants.length === 0) return nothing
  const notice = (sentences: Html) => html`<p class="notice">${sentences}</p>`
  const asksMore = request.scopes === null
    ? grants.every(({ scopes }) => scopes !== null)
    : request.scopes.some(isNew)
  if (!asksMore) return notice(text(client.kind === "public" ? "consent.againOnDevice" : "consent.again"))
  const app = html`<bdi>${client.name}</bdi>`
  return notice(
    request.scopes === null ? text("consent.asksMore", { app }) : text("consent.asksMoreMarked", { app })
  )
}

const destination = (redirectUri: string): Html => {
  const { host, protocol } = new URL(redirectUri)
  if (RedirectUri.isLoopback(redirectUri)) return text("consent.backToComputer", { host, strong })
  return protocol === "https:" || protocol === "http:"
    ? text("consent.backToHost", { host, strong })
    : text("consent.backToDevice", { scheme: protocol, strong })
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
