import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { brandName } from "../../foundation/web/BrandText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
import { whatNextPath } from "../account/SetupView.ts"

/** Says what this server is for, and where each kind of user goes on. The notice stands above all. */
export const homeBody = ({ api }: Catalogue, viewer: Viewer | undefined, notice: Html): Html =>
  html`${notice}<div class="hero"><h1>Apps that act for you, and no further</h1>
<p>${brandName} lets apps of other people use ${api.account}: with your consent, within the scopes that you granted,
until you disconnect them.</p>
${
    viewer === undefined
      ? html`<p class="actions"><a href="/sign-in" class="button">Sign in</a> <a href="/docs" class="button secondary">Read the API reference</a></p>`
      : html`<p class="actions"><a href="${whatNextPath}" class="button secondary">What next</a></p>`
  }</div>
<div class="cards">
<article><h2><a href="/connections">Connected apps</a></h2><p>See which apps act for you and what they may do; disconnect them at once.</p></article>
<article><h2><a href="/settings/apps">My apps</a></h2><p>Register an app, choose its scopes, follow its review, change its secret without downtime.</p></article>
<article><h2><a href="/playground">Playground</a></h2><p>Run the whole flow in three minutes: consent, code, tokens, a call, refresh, revoke.</p></article>
<article><h2><a href="/docs">API reference</a></h2><p>Every endpoint, drawn from the definitions that serve, and <a href="/docs/scopes">which operation needs which scope</a>.</p></article>
${
    viewer?.mayReview === true
      ? html`<article><h2><a href="/review">Review</a></h2><p>Decide about the apps that wait, with what changed and who decided what.</p></article>`
      : nothing
  }
</div>`
