import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { statusLabels } from "./StatusLabels.ts"

/** State of an app at a glance. */
export const statusView = (client: ManagedClient): Html =>
  html`${statusLabels(client).map(({ like, state }, at) => html`${at === 0 ? "" : " "}${statusLabel(state, like)}`)}`

/** A state, looking like this status. */
export const statusLabel = (
  state: ReturnType<typeof statusLabels>[number]["state"],
  like: ManagedClient["status"]
): Html => html`<span class="status ${like}">${text(`status.${state}`)}</span>`
