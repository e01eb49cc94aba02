import type { ManagedClient } from "../../core/clients/Client.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { appPath } from "./Paths.ts"

/** What was done, by the name that the address of the page carries. */
export const notices: ReadonlyMap<string, string> = new Map([
  ["saved", "Saved."],
  ["resubmitted", "Submitted again: an administrator will look at it."],
  ["withdrawn", "The change was taken back."],
  ["revoked", "The secret was revoked; it does not work any more."],
  ["deleted", "The app was deleted, and every access to it has ended."],
  ["registered", "The app is registered, and an administrator will review it. You will get a mail."],
  ["twice", "The app was registered by your first click. If you did not see its secret, generate a second one."]
])

export const listBody = (clients: ReadonlyArray<ManagedClient>, notice: string | undefined): Html =>
  html`<div class="heading"><h1>My apps</h1><a href="/settings/apps/new" role="button">Register an app</a></div>
${noticeOf(notice)}
${
    clients.length === 0
      ? html`<p class="empty">You have no apps yet. Register one, and an administrator will review it before it can be used.</p>`
      : html`<ul class="rows">
${
        clients.map((client) =>
          html`<li>
<div><a href="${appPath(client.id)}">${client.name}</a>
<small class="muted">${client.kind} · <span class="id">${client.id}</span></small></div>
<p>${statusOf(client)}</p>
</li>`
        )
      }
</ul>`
  }`

export const noticeOf = (text: string | undefined): Html =>
  text === undefined ? nothing : html`<p class="notice" role="status">${text}</p>`

/** The state at a glance. */
export const statusOf = (client: ManagedClient): Html =>
  html`<span class="status ${client.status}">${client.status}</span>${
    client.change === null
      ? nothing
      : client.isWaiting
      ? html` <span class="status pending">change in review</span>`
      : html` <span class="status rejected">change refused</span>`
  }`
