import type { Settings } from "../../foundation/config/AppConfig.ts"
import { codeBlock, copyField } from "../../foundation/web/CopyField.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
import { code, link, text } from "../../foundation/web/Message.ts"

interface WhatNextView {
  readonly viewer: Viewer
  readonly config: Pick<Settings, "authUrl" | "database" | "issuer">
  /** True if people have accounts and passwords of this server's own. */
  readonly hasLocalAccounts: boolean
}

/** First things to do on a server, for its administrator or for a developer. */
export const whatNextBody = (view: WhatNextView): Html =>
  html`<h1>${text("whatNext")}</h1>
<p>${
    text(
      view.viewer.isAdmin
        ? "whatNext.administrator"
        : view.viewer.mayReview
        ? "whatNext.reviewer"
        : "whatNext.developer"
    )
  }</p>
<ol class="steps">
${step(link("/playground")([text("whatNext.playground")]), text("whatNext.playground.about"))}
${step(link("/settings/apps/new")([text("apps.register")]), text("whatNext.register"))}
${view.viewer.mayReview ? review : nothing}
${view.viewer.isAdmin && view.hasLocalAccounts ? people(view) : nothing}
${
    step(
      text("whatNext.connect"),
      html`${text("whatNext.connect.about", { link: link("/docs") })}<br>${
        copyField(text("whatNext.issuer"), view.config.issuer)
      }`
    )
  }
${view.viewer.isAdmin && view.config.database._tag === "Embedded" ? production : nothing}
</ol>
<p class="muted">${
    text("whatNext.stays", {
      address: html`<a href="/what-next">${`${view.config.authUrl}/what-next`}</a>`,
      link: link("/")
    })
  }</p>`

const step = (title: Html, about: Html, more: Html = nothing): Html =>
  html`<li><h2>${title}</h2>
<p>${about}</p>${more}</li>`

const review = step(
  link("/review")([text("whatNext.review")]),
  text("whatNext.review.about", { setting: "SMTP_URL", code })
)

const people = ({ config }: WhatNextView): Html =>
  step(
    text("whatNext.people"),
    text("whatNext.people.about", { option: "--role reviewer", code, link: link("/users/invitations") }),
    codeBlock(
      text("whatNext.people.command"),
      `${command(config)} accounts create --email ann@example.com --name Ann`
    )
  )

const command = ({ database }: WhatNextView["config"]): string =>
  database._tag === "Embedded" ? "npm run slotkey --" : "slotkey"

const production = step(
  text("whatNext.production"),
  text("whatNext.production.about", { database: "DATABASE_URL", address: "BASE_URL", mail: "SMTP_URL", code }),
  codeBlock(text("whatNext.production.command"), "npm run slotkey -- doctor")
)
