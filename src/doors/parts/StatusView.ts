import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"

/** State of an app at a glance: its status, and the change that waits or was rejected, each as what it looks like. */
export const statusView = ({ change, status }: ManagedClient): Html =>
  html`${statusLabel(status)}${
    change === null
      ? ""
      : change.isWaiting
      ? html` <span class="status pending">${text("status.changeWaiting")}</span>`
      : html` <span class="status rejected">${text("status.changeRejected")}</span>`
  }`

export const statusLabel = (status: ManagedClient["status"]): Html =>
  html`<span class="status ${status}">${text(`status.${status}`)}</span>`
