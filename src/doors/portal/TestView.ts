import { Option, Redacted } from "effect"
import { type AppRole, mayDo } from "../../core/clients/records/AppAccess.ts"
import type { Client, ManagedClient } from "../../core/clients/records/Client.ts"
import { mostGuests, type TestGuest } from "../../core/clients/testapps/TestGuest.ts"
import { testGrantLifetime } from "../../core/consent/TestGrants.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Credential } from "../../domain/Credential.ts"
import { copyField } from "../../foundation/web/CopyField.ts"
import { dateText, durationText } from "../../foundation/web/DateText.ts"
import { alert, csrfField, field } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { hidden, link, strong, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { appTabPath, ownersPath, testPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"

interface Existing {
  readonly client: Client
  readonly guests: ReadonlyArray<TestGuest>
}

export interface TestView {
  readonly visitor: Visitor
  readonly catalogue: Catalogue
  readonly app: ManagedClient
  /** Role of the visitor in the app. */
  readonly role: AppRole | undefined
  /** Whether owners can make test apps on this server now. */
  readonly areOffered: boolean
  readonly test: Option.Option<Existing>
  readonly problem?: BadRequest | Conflict | undefined
  /** Form whose problem it is. */
  readonly form?: "guests" | "test"
  /** Guest as entered. */
  readonly guest?: string
}

/** Page of the test app of an app: what it is, how it is used, and by whom. */
export const testBody = (view: TestView): Html =>
  html`<h2>${text("testApp.title")}</h2>
${view.form === "test" ? alert(view.problem) : nothing}
<p>${text("testApp.about", { most: mostGuests, lifetime: durationText(testGrantLifetime) })}</p>
${Option.match(view.test, { onNone: () => offer(view), onSome: (test) => existing(view, test) })}`

/** Shows the secret of a test app, the only time that it is shown, and what to do with it. */
export const testSecretBody = (app: ManagedClient, test: Client, secret: Credential): Html =>
  html`<div class="focus">
<h1>${text("testApp.made")}</h1>
${
    notice(
      "warning",
      html`<p>${text("secret.shownOnce", { strong })}</p>
<p>${copyField(text("secret.name"), Redacted.value(secret))}</p>`
    )
  }
<p>${text("credentials.clientId", { id: copyField(text("credentials.clientId.name"), test.id) })}</p>
<p>${text("testApp.made.next")}</p>
<p><a href="${testPath(app.id)}#first-token" class="button">${text("testApp.firstToken")}</a></p>
</div>`

const offer = ({ app, areOffered, catalogue, role, visitor }: TestView): Html => {
  if (!areOffered) return html`<p class="empty">${text("testApp.off")}</p>`
  if (app.status !== "pending" && app.status !== "approved") return html`<p class="empty">${text("testApp.notNow")}</p>`
  if (app.kind === "confidential" && !mayDo(role, "secrets")) {
    return html`<p class="empty">${text("owners.secretsHidden", { link: link(ownersPath(app.id)) })}</p>`
  }
  return html`${app.isWaiting ? html`<p>${text("testApp.waiting")}</p>` : nothing}
${left(catalogue, app)}
<form method="post" action="${testPath(app.id)}">${csrfField(visitor.viewer)}<button>${
    text("testApp.make")
  }</button></form>`
}

/** What a test app does not have of its app. */
const left = (catalogue: Catalogue, app: ManagedClient): Html => {
  const risky = (app.change?.isWaiting ? app.change : app).scopes.filter((scope) => catalogue.riskOf(scope) === 3)
  return risky.length === 0 ? nothing : html`<p>${text("testApp.leftOut", { scopes: codes(risky) })}</p>`
}

const codes = (scopes: ReadonlyArray<string>): Html =>
  html`${scopes.map((scope, at) => html`${at === 0 ? "" : ", "}<code>${scope}</code>`)}`

const existing = (view: TestView, { client, guests }: Existing): Html => {
  const { app, catalogue, visitor } = view
  return html`${client.status === "approved" ? nothing : notice("warning", html`<p>${text("testApp.still")}</p>`)}${
    client.status === "approved" ? firstToken(app, client) : nothing
  }
<section aria-labelledby="values">
<h3 id="values">${text("testApp.values")}</h3>
<dl class="facts">
<dt>${text("testApp.name")}</dt><dd><bdi>${client.name}</bdi></dd>
<dt>${text("credentials.clientId.name")}</dt><dd>${copyField(text("credentials.clientId.name"), client.id)}</dd>
<dt>${text("testApp.addresses")}</dt><dd>${
    client.redirectUris.map((uri) => html`<code>${uri}</code><br>`)
  }<small class="muted">${text("testApp.anyPort")}</small></dd>
<dt>${text("testApp.scopes")}</dt><dd>${codes(client.scopes)}</dd>
</dl>
${left(catalogue, app)}
<p>${
    client.kind === "public"
      ? text("credentials.public")
      : text("testApp.secrets", { link: link(appTabPath(client.id, "credentials")) })
  }</p>
<form method="post" action="${testPath(app.id)}/reset">${csrfField(visitor.viewer)}<button class="secondary">${
    text("testApp.reset")
  }</button> <small class="muted">${text("testApp.reset.about")}</small></form>
</section>
${guestList(view, guests)}
${mayDo(view.role, "delete") ? ending(view) : nothing}`
}

const ending = ({ app, visitor }: TestView): Html =>
  html`<section aria-labelledby="end">
<h3 id="end">${text("testApp.end")}</h3>
<p>${text("testApp.end.about")}</p>
<form method="post" action="${testPath(app.id)}/end">${csrfField(visitor.viewer)}<button class="danger">${
    text("testApp.end.button")
  }</button></form>
</section>`

/** The whole flow, with what the playground fills in. */
const firstToken = (app: ManagedClient, test: Client): Html =>
  html`<section aria-labelledby="first-token">
<h3 id="first-token">${text("testApp.firstToken")}</h3>
<ol class="steps">
<li aria-current="step"><h4>${text("testApp.step.ask")}</h4><p>${text("testApp.step.ask.about")}</p>
<p><a href="/playground?app=${encodeURIComponent(test.id)}" class="button">${
    text("testApp.step.ask.button")
  }</a></p></li>
<li><h4>${text("testApp.step.allow")}</h4><p>${
    text("testApp.step.allow.about", { app: html`<bdi>${app.name}</bdi>` })
  }</p></li>
<li><h4>${text("testApp.step.exchange")}</h4><p>${
    text(test.kind === "public" ? "testApp.step.exchange.public" : "testApp.step.exchange.secret")
  }</p></li>
<li><h4>${text("testApp.step.call")}</h4><p>${text("testApp.step.call.about")}</p></li>
</ol>
</section>`

const guestList = (
  { app, form, guest, problem, visitor }: TestView,
  guests: ReadonlyArray<TestGuest>
): Html =>
  html`<section aria-labelledby="guests">
<h3 id="guests">${text("testApp.guests")}</h3>
<p>${text("testApp.guests.about", { most: mostGuests })}</p>
${form === "guests" ? alert(problem) : nothing}
${
    guests.length === 0 ?
      nothing :
      html`<ul class="rows">${
        guests.map((one) =>
          html`<li><div><bdi>${one.named}</bdi> <small class="muted">${
            one.acceptedAt === null
              ? text("testApp.guest.invited", { at: dateText(one.invitedAt, visitor.account) })
              : text("testApp.guest.accepted", { at: dateText(one.acceptedAt, visitor.account) })
          }</small></div>
<form method="post" action="${testPath(app.id)}/guests/${one.id}/remove">${
            csrfField(visitor.viewer)
          }<button class="link">${text("testApp.guest.remove", { guest: one.named, hidden })}</button></form></li>`
        )
      }</ul>`
  }
${
    guests.length >= mostGuests
      ? html`<p class="muted">${text("testApp.guests.full")}</p>`
      : html`<form method="post" action="${testPath(app.id)}/guests">${csrfField(visitor.viewer)}
${
        field({
          name: "guest",
          label: text("testApp.guest"),
          value: guest,
          hint: text("testApp.guest.hint")
        }, form === "guests" ? problem?.details : [])
      }
<button class="secondary">${text("testApp.guest.invite")}</button></form>`
  }
</section>`
