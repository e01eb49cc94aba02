import { type DateTime, Redacted } from "effect"
import type { Delivery, Endpoint } from "../../core/clients/events/Endpoint.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import { confirmation } from "../../foundation/web/Confirmation.ts"
import { copyField } from "../../foundation/web/CopyField.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField, field } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { code, link, strong, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { eventsPath, ownersPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"

export interface EventsView {
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly endpoint: Endpoint | undefined
  /** The newest first: all, or those that were given up. */
  readonly deliveries: ReadonlyArray<Delivery>
  readonly isFailedOnly: boolean
  /** False for a developer of the app, whose page has no form for the secret of the endpoint. */
  readonly maySecrets: boolean
  readonly problem?: BadRequest | Conflict | NotFound | undefined
  /** Address as it was sent. */
  readonly entered?: string | undefined
}

/** Way to this page, on those that it belongs to. */
export const eventsLink = (id: string): Html => html`<p>${text("appEvents.link", { link: link(eventsPath(id)) })}</p>`

/** Endpoint of an app, and what was sent there. */
export const eventsBody = (view: EventsView): Html =>
  html`<section aria-labelledby="events">
<h2 id="events">${text("appEvents")}</h2>
<p>${text("appEvents.about")}</p>
${view.endpoint === undefined ? nothing : trouble(view, view.endpoint)}
${view.maySecrets || view.endpoint !== undefined ? endpointForm(view) : lacking(view)}
${view.endpoint === undefined ? nothing : standing(view, view.endpoint)}
</section>
${view.endpoint === undefined ? nothing : deliveriesSection(view)}`

const endpointForm = ({ client, endpoint, entered, problem, visitor }: EventsView): Html =>
  html`${alert(problem)}
<form method="post" action="${eventsPath(client.id)}" novalidate>
${csrfField(visitor.viewer)}
${
    field({
      name: "url",
      type: "url",
      label: text("appEvents.url"),
      value: entered ?? endpoint?.url ?? "",
      hint: text("appEvents.url.hint", { code })
    }, problem?.details)
  }
<button>${text(endpoint === undefined ? "appEvents.set" : "appEvents.save")}</button>
</form>`

/** What a developer of the app reads in place of the forms that make and end a secret. */
const lacking = ({ client }: EventsView): Html =>
  html`<p class="muted">${text("owners.secretsHidden", { link: link(ownersPath(client.id)) })}</p>`

/** Says that the endpoint takes nothing: one event that it does not take is no news. */
const trouble = ({ visitor }: EventsView, { failures, retryAt }: Endpoint): Html =>
  failures < 2 ? nothing : notice(
    "warning",
    html`<p>${
      retryAt === null
        ? text("appEvents.fails", { failures })
        : text("appEvents.failsUntil", { failures, at: dateText(retryAt, visitor.account) })
    }</p>`
  )

const standing = (view: EventsView, { previousUntil, secretAt }: Endpoint): Html => {
  const { client, maySecrets, visitor } = view
  const path = eventsPath(client.id)
  const at = (instant: DateTime.Utc) => dateText(instant, visitor.account)
  return html`<form method="post" action="${path}/test" class="actions">${csrfField(visitor.viewer)}
<button class="secondary">${text("appEvents.test")}</button></form>
<h3>${text("appEvents.secret")}</h3>
<p>${text("appEvents.secret.madeAt", { at: at(secretAt) })} ${
    previousUntil === null ? nothing : text("appEvents.secret.both", { at: at(previousUntil) })
  }</p>
${
    maySecrets
      ? html`<form method="post" action="${path}/secret" class="actions">${csrfField(visitor.viewer)}
<button class="secondary">${text("appEvents.secret.another")}</button>
<a href="${path}/remove">${text("appEvents.remove")}</a></form>`
      : lacking(view)
  }`
}

const deliveriesSection = (view: EventsView): Html => {
  const { client, deliveries, isFailedOnly } = view
  const path = eventsPath(client.id)
  const tab = (href: string, label: Phrase, isHere: boolean) =>
    html`<li><a href="${href}"${isHere ? html` aria-current="true"` : nothing}>${label}</a></li>`
  return html`<section aria-labelledby="deliveries">
<h2 id="deliveries">${text("appEvents.deliveries")}</h2>
<nav class="tabs" aria-labelledby="deliveries"><ul>${tab(`${path}#deliveries`, text("appEvents.all"), !isFailedOnly)}${
    tab(`${path}?show=failed#deliveries`, text("appEvents.failed"), isFailedOnly)
  }</ul></nav>
${
    deliveries.length === 0
      ? html`<p class="muted">${text(isFailedOnly ? "appEvents.noneFailed" : "appEvents.none")}</p>`
      : html`${isFailedOnly ? againForm(view, undefined) : nothing}
${table(view)}
${
        deliveries.length > mostOnPage
          ? html`<p class="muted">${text("appEvents.latest", { most: mostOnPage })}</p>`
          : nothing
      }`
  }
</section>`
}

/** Deliveries on the page; programs read more. */
const mostOnPage = 20

/** Button that sends one event again, or all that failed. */
const againForm = ({ client, visitor }: EventsView, delivery: Delivery | undefined): Html =>
  html`<form method="post" action="${eventsPath(client.id)}/again" class="actions">${csrfField(visitor.viewer)}${
    delivery === undefined
      ? html`<button class="secondary">${text("appEvents.againAll")}</button>`
      : html`<input type="hidden" name="event" value="${delivery.id}"><button class="secondary" aria-label="${
        text("appEvents.again.one", { kind: delivery.type, id: delivery.id })
      }">${text("appEvents.again")}</button>`
  }</form>`

const table = (view: EventsView): Html =>
  html`<div class="overflow-auto"><table aria-labelledby="deliveries">
<thead><tr><th scope="col">${text("appEvents.when")}</th><th scope="col">${
    text("appEvents.what")
  }</th><th scope="col">${text("appEvents.outcome")}</th><th scope="col">${text("appEvents.again")}</th></tr></thead>
<tbody>
${
    view.deliveries.slice(0, mostOnPage).map((delivery) =>
      html`<tr>
<td class="muted">${dateText(delivery.at, view.visitor.account)}</td>
<td data-label="${text("appEvents.what")}"><code>${delivery.type}</code></td>
<td class="free" data-label="${text("appEvents.outcome")}">${outcome(view, delivery)}${
        delivery.attempts < 2
          ? nothing
          : html` <span class="muted">${text("appEvents.attempts", { attempts: delivery.attempts })}</span>`
      }</td>
<td>${delivery.state === "waiting" ? nothing : againForm(view, delivery)}</td>
</tr>`
    )
  }
</tbody></table></div>`

const outcome = ({ visitor }: EventsView, { dueAt, fault, state, status }: Delivery): Html => {
  const answer = status !== null
    ? text("appEvents.answered", { status: String(status) })
    : fault === null
    ? undefined
    : text(`appEvents.fault.${fault}`)
  if (state === "delivered") return text("appEvents.taken", { status: String(status ?? "") })
  if (state === "failed") return html`<strong>${text("appEvents.givenUp")}</strong> ${answer ?? nothing}`
  if (answer === undefined || dueAt === null) return text("appEvents.onItsWay")
  return html`${answer} ${text("appEvents.next", { at: dateText(dueAt, visitor.account) })}`
}

/** Page that shows the secret, the only time that it is shown. */
export const endpointSecretBody = ({ id, name }: ManagedClient, secret: Redacted.Redacted, isFirst: boolean): Html =>
  html`<div class="focus">
<h1>${text("appEvents.secret.title", { app: html`<bdi>${name}</bdi>` })}</h1>
${
    notice(
      "warning",
      html`<p>${text("appEvents.secret.shownOnce", { strong })}</p>
<p>${copyField(text("appEvents.secret"), Redacted.value(secret))}</p>`
    )
  }
<p>${text(isFirst ? "appEvents.secret.first" : "appEvents.secret.next")}</p>
<p><a href="${eventsPath(id)}" class="button">${text("appEvents.secret.done")}</a></p>
</div>`

export const removeEndpointBody = ({ id, name }: ManagedClient, { url }: Endpoint, visitor: Visitor): Html =>
  confirmation({
    question: text("appEvents.remove.question", { app: html`<bdi>${name}</bdi>` }),
    consequences: html`<p>${text("appEvents.remove.consequences", { url: html`<code>${url}</code>` })}</p>`,
    action: `${eventsPath(id)}/remove`,
    button: text("appEvents.remove.button"),
    back: eventsPath(id),
    viewer: visitor.viewer
  })
