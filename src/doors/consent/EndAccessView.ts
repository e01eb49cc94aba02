import type { ListWish } from "../../core/consent/ConnectionList.ts"
import type { Connection } from "../../core/consent/Connections.ts"
import type { Grant } from "../../core/grants/Grant.ts"
import { confirmation } from "../../foundation/web/Confirmation.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { connectionPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"
import { boxOf, disconnectPath, listPath, stateOf } from "./ConnectionsAddress.ts"
import { deviceGivenText, deviceName } from "./DeviceName.ts"

/** Confirmation before apps lose their access: it names each. */
export const endAccessBody = ({ viewer }: Visitor, connections: ReadonlyArray<Connection>, wish: ListWish): Html => {
  const [first] = connections
  const isOne = first !== undefined && connections.length === 1
  return confirmation({
    question: isOne
      ? text("connections.disconnect.question", { app: nameOf(first) })
      : text("connections.disconnect.questionMany", { apps: connections.length }),
    consequences: html`${
      isOne ? nothing : html`<ul>${connections.map((one) => html`<li>${nameOf(one)}${hostOf(one)}</li>`)}</ul>`
    }<p>${
      isOne
        ? text("connections.disconnect.consequences", { grants: first.grants })
        : text("connections.disconnect.consequencesMany")
    }</p>
<p>${text("connections.disconnect.later", { apps: connections.length })}</p>`,
    action: disconnectPath,
    hidden: Object.fromEntries([...connections.map(({ clientId }) => [boxOf(clientId), "on"]), ...stateOf(wish)]),
    button: isOne
      ? text("connections.disconnect")
      : text("connections.disconnect.many", { apps: connections.length }),
    back: listPath(wish, { page: wish.page }),
    ...(isOne ? {} : { backLabel: text("connections.disconnect.keepMany") }),
    viewer
  })
}

/** Confirmation before an app loses its access on one device. */
export const endDeviceBody = ({ account, viewer }: Visitor, connection: Connection, device: Grant): Html =>
  confirmation({
    question: text("connections.device.question", { app: nameOf(connection), device: deviceName(device) }),
    consequences: html`<p>${text("connections.device.consequences")}</p><p>${
      text("connections.device.since", { at: deviceGivenText(device, account) })
    }</p>`,
    action: disconnectPath,
    hidden: { client_id: connection.clientId, grant: device.id },
    button: text("connections.disconnect"),
    back: connectionPath(connection.clientId),
    viewer
  })

/** Tells apart apps of one name. */
export const hostOf = ({ client: { website } }: Pick<Connection, "client">): Html =>
  URL.canParse(website) ? html` <span class="muted"><bdi>${new URL(website).host}</bdi></span>` : nothing

export const nameOf = ({ client }: Pick<Connection, "client">): Phrase => html`<bdi>${client.name}</bdi>`
