import type { ManagedClient } from "../../core/clients/Client.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { appPath } from "./Paths.ts"
import { noticeOf, statusOf } from "./StatusView.ts"

/** The notices after an action, by the name that the address of the page carries (`?done=`). */
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
