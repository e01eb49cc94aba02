import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { statusLabels } from "./StatusLabels.ts"

/** State of an app at a glance. */
export const statusView = (client: ManagedClient): Html =>
  html`${
    statusLabels(client).map(({ like, text }, at) =>
      html`${at === 0 ? "" : " "}<span class="status ${like}">${text}</span>`
    )
  }`
