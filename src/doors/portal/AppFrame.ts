import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { noticeOf } from "../../foundation/web/Notice.ts"
import { type AppTab, appTabPath, appTabs } from "../parts/Paths.ts"
import { statusView } from "../parts/StatusView.ts"
import type { Visitor } from "../session/PageSession.ts"

interface AppFrame {
  readonly client: ManagedClient
  readonly visitor: Visitor
  /** Tab that is open, or to which a page of its own belongs. */
  readonly active: AppTab
  readonly body: Html
}

/** Page of an app for its owner: what app it is, the tabs, what was just done, and the body of the open tab. */
export const appFrame = ({ active, body, client, visitor }: AppFrame): Html =>
  html`<p><a href="/settings/apps">${text("apps")}</a></p>
<div class="heading"><h1>${client.name}</h1><p>${statusView(client)}</p></div>
<nav class="tabs" aria-label="${text("appTabs")}"><ul>${
    appTabs.map((tab) =>
      html`<li><a href="${appTabPath(client.id, tab)}"${tab === active ? html` aria-current="page"` : nothing}>${
        text(`appTabs.${tab}`)
      }</a></li>`
    )
  }</ul></nav>
${noticeOf(visitor.notice)}
${body}`

/** Title of a tab, by which the windows of a browser can be told apart. */
export const appTitle = ({ name }: ManagedClient, tab: AppTab): Phrase =>
  tab === "overview" ? name : text("appTitle", { app: name, tab: text(`appTabs.${tab}`) })
