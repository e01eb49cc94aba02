import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { inLanguage } from "../../domain/files/Words.ts"
import { forReader, type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
import { link, text } from "../../foundation/web/Message.ts"
import { whatNextPath } from "../account/SetupView.ts"

/** Says what this server is for, and where each kind of user goes on. The notice stands above all. */
export const homeBody = ({ file }: Catalogue, viewer: Viewer | undefined, notice: Html): Html =>
  html`${notice}<div class="hero"><h1>${text("home")}</h1>
<p>${text("home.about", { account: forReader(({ language }) => inLanguage(file.api.account, language.tag)) })}</p>
${
    viewer === undefined
      ? html`<p class="actions"><a href="/sign-in" class="button">${
        text("frame.signIn")
      }</a> <a href="/docs" class="button secondary">${text("home.readReference")}</a></p>`
      : html`<p class="actions"><a href="${whatNextPath}" class="button secondary">${text("whatNext")}</a></p>`
  }</div>
<div class="cards">
${card("/connections", text("frame.connections"), text("home.connections"))}
${card("/settings/apps", text("frame.myApps"), text("home.myApps"))}
${card("/playground", text("frame.playground"), text("home.playground"))}
${card("/docs", text("frame.reference"), text("home.reference", { link: link("/docs/scopes") }))}
${viewer?.mayReview === true ? card("/review", text("frame.review"), text("home.review")) : nothing}
</div>`

const card = (href: string, title: Html, about: Html): Html =>
  html`<article><h2><a href="${href}">${title}</a></h2><p>${about}</p></article>`
