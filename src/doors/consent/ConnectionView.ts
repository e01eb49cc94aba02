import { DateTime, type Duration, type Option } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import { chosenEnds } from "../../core/consent/Choice.ts"
import type { ConnectionDetails } from "../../core/consent/Connections.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { judge } from "../../domain/catalogue/Judgement.ts"
import { dateText, durationText } from "../../foundation/web/DateText.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { forReader, type Html, html, nothing } from "../../foundation/web/Html.ts"
import { page } from "../../foundation/web/Layout.ts"
import { hidden, text } from "../../foundation/web/Message.ts"
import { notice, noticeOf } from "../../foundation/web/Notice.ts"
import { appHead } from "../parts/AppHead.ts"
import { connectionPath } from "../parts/Paths.ts"
import { useText } from "../parts/UseText.ts"
import type { Visitor } from "../session/PageSession.ts"
import { appLinks, atResource, developer } from "./AskingApp.ts"
import { historySection } from "./ConnectionHistoryView.ts"
import { connectionsPath, disconnectDevicePath, disconnectOnePath, shortenPath, usual } from "./ConnectionsAddress.ts"
import { deviceGivenText, deviceName, givenText } from "./DeviceName.ts"
import { rightsView } from "./GivenRights.ts"
import { lastUseDate, unseenText } from "./LastUseView.ts"

interface ConnectionView extends ConnectionDetails {
  readonly catalogue: Catalogue
  readonly visitor: Visitor
  /** Owner of the app, if they still have an account. */
  readonly owner: Option.Option<Account>
  /** Time without use after which access ends by itself. */
  readonly idleLifetime: Duration.Duration
}

/** One connected app: who made it, what it may do, on which devices, until when, and how it came to that. */
export const connectionPage = (view: ConnectionView) => {
  const { catalogue, connection, coverage, devices, history, owner, visitor } = view
  const { client, clientId, isImported, scopes, since, use } = connection
  const { account } = visitor
  return page({
    title: text("connection.title", { app: client.name }),
    viewer: visitor.viewer,
    body: html`<p><a href="${connectionsPath}">${text("connections")}</a></p>
<div class="heading connected">
${appHead(client, html`<h1 class="app-name"><bdi>${client.name}</bdi></h1>${developer(owner)}`)}
<a class="button danger" href="${disconnectOnePath(clientId, usual)}">${
      text("connections.disconnect.app", { app: client.name, hidden })
    }</a>
</div>
${noticeOf(visitor.notice)}
${client.status === "approved" ? nothing : notice("warning", html`<p>${text("connections.suspended")}</p>`)}
<dl class="facts">
<dt>${text("connections.since")}</dt><dd>${givenText(since, isImported, account)}</dd>
<dt>${text("connections.lastUsed")}</dt><dd>${lastUseDate(use.last, account)}</dd>
${
      client.reviewedAt === null
        ? nothing
        : html`<dt>${text("connection.reviewed")}</dt><dd>${dateText(client.reviewedAt, account)}</dd>`
    }
</dl>
<section aria-labelledby="may"><h2 id="may">${text("connections.may")}</h2>
${connection.resources.map(atResource)}
${
      rightsView(
        catalogue,
        scopes,
        judge(catalogue, scopes, account.organizationName),
        new Map(use.rights.map((right) => [right.scope, useText(right, coverage, account)]))
      )
    }
${unseenText(coverage, [use.last, ...devices.map(({ lastUse }) => lastUse)], account)}
</section>
${devicesSection(view)}
${shortening(view)}
${historySection(catalogue, history, visitor)}
${client.status === "approved" ? appLinks(client, connectionPath(clientId)) : nothing}`
  })
}

const devicesSection = (
  { connection: { clientId, resources }, devices, idleLifetime, visitor: { account } }: ConnectionView
): Html => {
  const [given, used, ends] = [text("connection.given"), text("connections.lastUsed"), text("connection.ends")]
  return html`<section aria-labelledby="devices"><h2 id="devices">${text("connection.devices")}</h2>
<div class="overflow-auto"><table aria-labelledby="devices">
<thead><tr><th scope="col">${
    text("connection.device")
  }</th><th scope="col">${given}</th><th scope="col">${used}</th><th scope="col">${ends}</th><td></td></tr></thead>
<tbody>
${
    devices.map((device) => {
      return html`<tr>
<th scope="row" class="device">${deviceName(device)}${
        resources.filter(({ identifier }) => identifier === device.resource).map(atResource)
      }</th>
<td data-label="${given}">${deviceGivenText(device, account)}</td>
<td data-label="${used}">${lastUseDate(device.lastUse, account)}</td>
<td data-label="${ends}">${dateText(device.expiresAt, account)}</td>
<td><a href="${disconnectDevicePath(clientId, device.id)}">${
        text("connection.endDevice", { device: deviceName(device), at: deviceGivenText(device, account), hidden })
      }</a></td>
</tr>`
    })
  }
</tbody></table></div>
${
    devices.some(({ imported }) => imported === null)
      ? html`<p class="muted">${text("connection.endsUnused", { unused: durationText(idleLifetime) })}</p>`
      : nothing
  }
</section>`
}

/** Offers the ends that are earlier than the one of any device. */
const shortening = ({ connection: { clientId, endsAt }, visitor: { viewer } }: ConnectionView): Html =>
  forReader(({ now }) => {
    const isEarlier = (remaining: Duration.Duration) =>
      now === undefined || DateTime.isLessThan(DateTime.addDuration(now, remaining), endsAt)
    const offered = Object.entries(chosenEnds).filter(([, remaining]) => isEarlier(remaining))
    return offered.length === 0 ?
      nothing :
      html`<section aria-labelledby="sooner"><h2 id="sooner">${text("connection.sooner")}</h2>
<p>${text("connection.sooner.what")}</p>
<form method="post" action="${shortenPath(clientId)}" class="actions">
${csrfField(viewer)}
${
        offered.map(([end, remaining]) =>
          html`<button class="secondary" name="end" value="${end}">${
            text("connection.sooner.in", { remaining: durationText(remaining) })
          }</button>`
        )
      }
</form></section>`
  })
