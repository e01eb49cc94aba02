import type { DateTime } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import type { Coverage, UnusedPage } from "../../core/usage/Use.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { judge } from "../../domain/catalogue/Judgement.ts"
import type { ClientId, UserId } from "../../domain/Ids.ts"
import { dayText } from "../../domain/InstantText.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { shortDateText } from "../../foundation/web/DateText.ts"
import { forReader, type Html, html, nothing } from "../../foundation/web/Html.ts"
import { hidden, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { pager } from "../../foundation/web/Pager.ts"
import { plain } from "../mails/MailText.ts"
import { appTabPath, reviewPath } from "../parts/Paths.ts"
import { coverageText } from "../parts/UseText.ts"
import type { Visitor } from "../session/PageSession.ts"
import { scopeText } from "./AskedUseView.ts"
import { riskBadge } from "./QueueRow.ts"

export interface UnusedView {
  readonly authUrl: string
  readonly catalogue: Catalogue
  readonly coverage: Coverage
  /** `null` where nothing can be called unused. */
  readonly found: Omit<UnusedPage, "apps"> & { readonly apps: ReadonlyArray<UnusedApp> } | null
  /** Owners who can be asked. */
  readonly owners: ReadonlyMap<UserId, Account>
  readonly visitor: Visitor
}

interface UnusedApp {
  readonly id: ClientId
  readonly name: string
  readonly ownerId: UserId
  readonly since: DateTime.Utc
  readonly unused: ReadonlyArray<ScopeName>
}

export const unusedPath = "/review/unused"

/** Apps that reach everyone and do not use that, the riskiest first, each with a mail to its owner to begin with. */
export const unusedBody = (view: UnusedView): Html => {
  const { coverage, found, visitor: { account } } = view
  return html`<p><a href="/review">${text("review.queue")}</a></p>
<h1>${text("unusedScopes")}</h1>
<p>${text("unusedScopes.about")}</p>
<p class="muted">${coverageText(coverage, account)}</p>
${found?.isCurrent === false ? notice("note", html`<p>${text("unusedScopes.behind")}</p>`) : nothing}
${
    found === null
      ? html`<p class="empty">${
        text(coverage.completeSince === null ? "unusedScopes.unknown" : "unusedScopes.tooEarly")
      }</p>`
      : found.total === 0
      ? html`<p class="empty">${text("unusedScopes.none")}</p>`
      : html`${found.apps.length === 0 ? nothing : table(view, found.apps)}
${pager(found, (page) => `${unusedPath}?page=${page}`)}`
  }`
}

const table = (view: UnusedView, apps: ReadonlyArray<UnusedApp>): Html =>
  html`<div class="overflow-auto"><table class="queue" aria-label="${text("unusedScopes")}">
<thead><tr><th scope="col">${text("review.app")}</th><th scope="col">${
    text("unusedScopes.scopes")
  }</th><th scope="col">${text("unusedScopes.since")}</th><th scope="col">${text("review.owner")}</th></tr></thead>
<tbody>
${apps.map((app) => row(view, app))}
</tbody></table></div>`

const row = (view: UnusedView, app: UnusedApp): Html => {
  const { catalogue, visitor: { account } } = view
  const { id, name, since, unused } = app
  return html`<tr data-row><td class="free"><a href="${reviewPath(id)}"><bdi>${name}</bdi></a> ${
    riskBadge(judge(catalogue, unused).risk)
  }</td>
<td class="free" data-label="${text("unusedScopes.scopes")}">${
    unused.map((scope) => html`<small>${scopeText(catalogue, scope)}</small>`)
  }</td>
<td data-label="${text("unusedScopes.since")}">${shortDateText(since, account)}</td>
<td class="free" data-label="${text("review.owner")}">${owner(view, app)}</td>
</tr>
`
}

const owner = (view: UnusedView, app: UnusedApp): Html => {
  const found = view.owners.get(app.ownerId)
  if (found === undefined) return text("people.nobody")
  return html`<bdi>${found.name}</bdi>${
    found.email === "" ?
      nothing :
      html`<small><a href="${mailTo(view, app, found.email)}">${
        text("unusedScopes.ask", { app: app.name, hidden })
      }</a></small>`
  }`
}

/** A mail that the reviewer's own program opens: its answer comes to them. */
const mailTo = (
  { authUrl, catalogue, visitor: { account } }: UnusedView,
  { id, name, since, unused }: UnusedApp,
  email: string
): Html =>
  forReader((reader) => {
    const seen = text("unusedScopes.mail.seen", {
      app: name,
      scopes: catalogue.format(unused),
      since: dayText(since, account, reader.language.locale)
    })
    const query = {
      subject: plain(text("unusedScopes.mail.subject", { app: name }), reader),
      body: [
        plain(seen, reader),
        `${plain(text("unusedScopes.mail.drop"), reader)}\n${authUrl}${appTabPath(id, "activity")}`
      ].join("\n\n")
    }
    const asked = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")
    return `mailto:${encodeURIComponent(email).replace("%40", "@")}?${asked}`
  })
