import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"

/** State of an app at a glance: its status, and the change that waits or was rejected. */
export const statusOf = (client: ManagedClient): Html =>
  html`<span class="status ${client.status}">${client.status}</span>${
    client.change === null
      ? nothing
      : client.isWaiting
      ? html` <span class="status pending">change in review</span>`
      : html` <span class="status rejected">change refused</span>`
  }`
