import type { Settings } from "../../foundation/config/AppConfig.ts"
import { codeBlock, copyField } from "../../foundation/web/CopyField.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"

interface WhatNextView {
  readonly viewer: Viewer
  readonly config: Pick<Settings, "authUrl" | "database" | "issuer">
  /** True if people have accounts and passwords of this server's own. */
  readonly hasLocalAccounts: boolean
}

/** First things to do on a server, for its administrator or for a developer. */
export const whatNextBody = (view: WhatNextView): Html =>
  html`<h1>What next</h1>
<p>${
    view.viewer.isAdmin
      ? "You are an administrator of this server. This is what it can do for you and your users:"
      : view.viewer.mayReview
      ? "You are a reviewer of this server. This is what it can do for you:"
      : "From the first look to an app of your own:"
  }</p>
<ol class="steps">
<li><h2><a href="/playground">See how it works</a></h2>
<p>The playground runs the whole flow in three minutes, as the app and as the user, and shows each request.</p></li>
<li><h2><a href="/settings/apps/new">Register an app</a></h2>
<p>Say what it is for and what it needs. A reviewer looks at it; then it may ask users for their consent.</p></li>
${view.viewer.mayReview ? review : nothing}
${view.viewer.isAdmin && view.hasLocalAccounts ? people(view) : nothing}
<li><h2>Connect the app</h2>
<p>The page of an approved app has its calls ready to paste, and the <a href="/docs">API reference</a> has every endpoint.
Client libraries find all of it by the issuer:<br>${copyField("the issuer", view.config.issuer)}</p></li>
${view.viewer.isAdmin && view.config.database._tag === "Embedded" ? production : nothing}
</ol>
<p class="muted">This page stays at <a href="/what-next">${view.config.authUrl}/what-next</a>, and the <a href="/">front page</a> leads to it.</p>`

const review = html`<li><h2><a href="/review">Review what others register</a></h2>
<p>Apps wait in the queue until a reviewer decides. With <code>SMTP_URL</code> set, you hear of them
by mail.</p></li>`

const people = ({ config }: WhatNextView): Html =>
  html`<li><h2>Let people in</h2>
<p>Nobody signs up by themselves: <a href="/users/invitations">invite people</a> by mail, or make their accounts on the
command line. With <code>--role reviewer</code> somebody may decide about apps.</p>
${
    codeBlock(
      "the command for a new account",
      `${command(config)} accounts create --email ann@example.com --name Ann`
    )
  }</li>`

const command = ({ database }: WhatNextView["config"]): string =>
  database._tag === "Embedded" ? "npm run slotkey --" : "slotkey"

const production = html`<li><h2>Before real users come</h2>
<p>This server keeps its data in an embedded database, which is for trying things out. Set <code>DATABASE_URL</code>,
<code>BASE_URL</code> and <code>SMTP_URL</code>, then have everything examined:</p>
${codeBlock("the command that examines the server", "npm run slotkey -- doctor")}</li>`
